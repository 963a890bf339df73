// The texts of the page in the language of the box: English is in the code, the rest comes from its catalogues.

let known = {};
const written = new Map(); // the elements of the HTML with their English texts
await learn();

/** Return a text with `values` for its {names}. */
export function say(text, values = {}) {
  return (known[text] ?? text).replace(/{(\w+)}/g, (whole, name) => values[name] ?? whole);
}

/** Return the text for a number, in the plural form of the language, with its {number}. */
export function sayN(one, many, number) {
  const form = new Intl.PluralRules(document.documentElement.lang).select(number);
  const text = form === "one" ? one : many;
  return say(text, { number });
}

/** Return a text with elements for its {names}: the pieces, in the order of the language. */
export function pieces(text, values) {
  return (known[text] ?? text).split(/{(\w+)}/).map((piece, place) => (place % 2 ? values[piece] : piece));
}

/** Return elements as a list in the language: "Ann and Ben". */
export function listed(elements) {
  const parts = new Intl.ListFormat(document.documentElement.lang).formatToParts(elements.map((_, place) => String(place)));
  return parts.flatMap(({ type, value }) => (type === "element" ? elements[value] : value));
}

/** Write a number with a fixed number of decimals, as the language does. */
export function figure(number, decimals) {
  const places = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false };
  return new Intl.NumberFormat(document.documentElement.lang, places).format(number);
}

/** Return the language of the texts. What is shown again only if it has changed depends on it. */
export const spoken = () => document.documentElement.lang;

/** Translate the texts in the page's HTML, also for the second time: the elements with `data-say` or a label. */
export function sayAll(root) {
  if (!written.size) {
    for (const one of root.querySelectorAll("[data-say], [aria-label]")) written.set(one, { text: "say" in one.dataset && one.textContent, label: one.getAttribute("aria-label") });
  }
  for (const [one, { text, label }] of written) {
    if (text) one.textContent = say(text);
    if (label) one.setAttribute("aria-label", say(label));
  }
}

/** Ask the box for the texts in its language; return whether it has answered. Before that, they are in English. */
export async function learn() {
  try {
    const answer = await fetch("api/words", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    if (!answer.ok) return false;
    const { language, words } = await answer.json();
    [known, document.documentElement.lang] = [words, language];
    return true;
  } catch {
    return false;
  }
}
