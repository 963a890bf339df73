"""The running program: started, served to the network, told to systemd, and logged."""
