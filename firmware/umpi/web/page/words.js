// The texts of the page in the language of the box: English is in the code, the rest comes from its catalogues.

const known = await learned();

/** Return a text with `values` for its {names}. */
export function say(text, values = {}) {
  return (known[text] ?? text).replace(/{(\w+)}/g, (whole, name) => values[name] ?? whole);
}

/** Return a text with elements for its {names}: the pieces, in the order of the language. */
export function pieces(text, values) {
  return (known[text] ?? text).split(/{(\w+)}/).map((piece, place) => (place % 2 ? values[piece] : piece));
}

/** Write a number with a fixed number of decimals, as the language does. */
export function figure(number, decimals) {
  const places = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false };
  return new Intl.NumberFormat(document.documentElement.lang, places).format(number);
}

/** Translate the texts in the page's HTML: the elements with `data-say`. */
export function sayAll(root) {
  for (const one of root.querySelectorAll("[data-say]")) one.textContent = say(one.textContent);
  for (const one of root.querySelectorAll("[aria-label]")) one.setAttribute("aria-label", say(one.getAttribute("aria-label")));
}

async function learned() {
  try {
    const answer = await fetch("api/words", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    if (!answer.ok) return {};
    const { language, words } = await answer.json();
    document.documentElement.lang = language;
    return words;
  } catch {
    return {}; // the box does not answer: English until it does
  }
}
