"""What to buy, wire, print and saw: each folder turns one file of numbers into drawings, diagrams and a page."""
