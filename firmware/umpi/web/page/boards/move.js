// How boards move: a piece with the same key goes from its old place to its new one, a new piece appears.

/** Show the board `next` in `place`; the pieces with the keys in `lit` are what a call is about, and light up. */
export function move(place, next, lit = []) {
  const before = new Map([...place.querySelectorAll("[data-key]")].map((one) => [one.dataset.key, one.getBoundingClientRect()]));
  place.replaceChildren(next);
  const scale = next.getBoundingClientRect().width / next.viewBox.baseVal.width;
  const duration = calm_ms(); // 0 for those who want no motion
  for (const one of next.querySelectorAll("[data-key]")) {
    if (lit.includes(one.dataset.key)) one.classList.add("b-lit");
    if (duration && before.size && scale) travel(one, before.get(one.dataset.key), scale, duration);
  }
}

const calm_ms = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--calm")) * 1000;

function travel(one, from, scale, duration) {
  const easing = "cubic-bezier(.2, .8, .3, 1)";
  if (!from) {
    one.animate([{ opacity: 0 }, { opacity: 1 }], { duration, easing });
    return;
  }
  const to = one.getBoundingClientRect();
  const [x, y] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2].map((far) => far / scale);
  if (Math.hypot(x, y) < 1) return;
  const rests = getComputedStyle(one).transform;
  const stays = rests === "none" ? "" : rests;
  one.animate([{ transform: `translate(${x}px, ${y}px) ${stays}` }, { transform: stays || "none" }], { duration, easing });
}
