// A sketch says what an element of a drawing shall be, without making it. `keep` makes what is new, and changes what differs.

const SVG = "http://www.w3.org/2000/svg";

/** An element to be drawn: its attributes as texts, and inside it sketches and texts. It answers as an element does. */
export class Sketch {
  constructor(localName, bears, inside) {
    Object.assign(this, { localName, bears, inside });
  }

  getAttribute(name) {
    return this.bears[name] ?? null;
  }

  /** Make the element. */
  made() {
    const one = document.createElementNS(SVG, this.localName);
    for (const name in this.bears) one.setAttribute(name, this.bears[name]);
    one.append(...this.inside.map((part) => (part instanceof Sketch ? part.made() : part)));
    one.sketch = this;
    return one;
  }

  /** Return whether another sketch, or none, says the same. */
  equals(other) {
    if (!other || this.localName !== other.localName || this.inside.length !== other.inside.length) return false;
    const names = Object.keys(this.bears);
    if (names.length !== Object.keys(other.bears).length || names.some((name) => this.bears[name] !== other.bears[name])) return false;
    return this.inside.every((part, nth) => (part instanceof Sketch ? part.equals(other.inside[nth]) : part === other.inside[nth]));
  }
}
