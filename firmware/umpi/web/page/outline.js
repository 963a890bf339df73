// What the page shows at the moment, as attributes of its root: the layout depends on it.
//
// With `:has()` in the styles instead, a browser would style the whole page again whenever any part changes.

const one = (selector) => document.querySelector(selector) && "";
const buzzer = () => (one("#race > *") == null ? null : one("#race.folded") == null ? "open" : "folded");
const thumb = () => (one(".thumb .verb + .verb, .thumb .open") == null ? one(".thumb") : "two");

// For each attribute, what gives its value: null if the root does not have it.
const ATTRIBUTES = {
  mine: () => one("#question.mine"), answers: () => one("#question.mine > :is(.ask, .thumb)"), buzzer, thumb,
  board: () => one("#board > *"), join: () => one("#join > *"), notice: () => one("#notice > *"),
  greeting: () => one(".table .greeting"), starting: () => one("form.start"), claiming: () => one(".waiting"),
  lesson: () => one(".question .thumb"), replay: () => one(".replay > *"),
};

/** Write the attributes that have changed. */
export function outline() {
  const { dataset } = document.documentElement;
  for (const [name, value] of Object.entries(ATTRIBUTES)) {
    const now = value();
    if ((dataset[name] ?? null) === now) continue;
    now == null ? delete dataset[name] : (dataset[name] = now);
  }
}

/** Keep the attributes up to date: they are written before the change itself is drawn. */
export function keepOutline() {
  new MutationObserver(outline).observe(document.body, { childList: true, subtree: true, attributeFilter: ["class"] });
  outline();
}
