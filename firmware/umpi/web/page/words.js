// What the page says, in the language of the box: English stands in the code, the rest comes from its catalogues.

const known = await learned();

/** Say a text; its {names} stand for `values`. */
export function say(text, values = {}) {
  return (known[text] ?? text).replace(/{(\w+)}/g, (whole, name) => values[name] ?? whole);
}

/** Say a text whose {names} stand for elements: the pieces, in the order of the language. */
export function pieces(text, values) {
  return (known[text] ?? text).split(/{(\w+)}/).map((piece, place) => (place % 2 ? values[piece] : piece));
}

/** Say what the page itself has written down: what bears `data-say`. */
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
    return {}; // the box is away: English until it is back
  }
}
