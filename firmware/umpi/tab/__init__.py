"""The box in a browser's tab: Python in WebAssembly, the page for phones as the box, and a journal in its storage."""
