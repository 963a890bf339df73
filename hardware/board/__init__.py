"""Two printed circuit boards, placed and routed from the netlist of hardware/wiring, checked by KiCad."""
