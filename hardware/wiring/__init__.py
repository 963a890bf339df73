"""The wiring of three builds: from one file of nets, parts and currents to diagrams, tables and checks."""
