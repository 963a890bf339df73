"""The build guide: steps with pictures that show what is new in colour, as a PDF to print."""
