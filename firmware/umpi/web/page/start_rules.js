// The rules of a game that starts: by the sheet, by a named rule set, or with options of one's own.

import { fill, make } from "./make.js";
import { say } from "./words.js";

/** Fill `place`, a fieldset, with the rules of a game; `chosen()` of the result returns them as the box expects them. */
export function rulesPart(game, place) {
  let options = { ...game.usual.options };
  const sets = make("div", { class: "choices" });
  const fields = make("div", { class: "fields" });

  const name = () => game.rules.find((set) => JSON.stringify(set.options) === JSON.stringify(options))?.name ?? null;

  function showSets() {
    const now = name();
    const radio = (set, label) => make("label", { class: "choice" },
      make("input", { type: "radio", name: "rules", "data-key": `rules ${set}`, checked: set === now, onchange: () => choose(set) }), make("span", { class: set === null && "name" }, label));
    fill(sets, game.rules.map((set) => radio(set.name, set.label)), now === null && radio(null, say("own")));
  }

  function choose(set) {
    options = { ...(game.rules.find((one) => one.name === set)?.options ?? options) };
    showSets();
    showFields();
  }

  function put(option, value) {
    options[option.name] = value;
    showSets();
  }

  function showFields() {
    const made = (trial) => game.options.filter((option) => option.experiment === trial && option.kind !== "fixed")
      .map((option) => field(option, options[option.name], (value) => put(option, value)));
    const [plain, trials] = [made(false), made(true)];
    const experiments = trials.length > 0 && make("details", { class: "experiments", "data-key": `experiments ${game.game}` }, make("summary", {}, say("Experiments")),
      make("p", { class: "hint" }, say("Change these numbers for play-testing.")), trials);
    fill(fields, plain.length > 0 && make("details", { class: "options", "data-key": `options ${game.game}` }, make("summary", {}, say("Options")), plain), experiments);
  }

  showSets();
  showFields();
  fill(place, make("legend", {}, say("Rules")), sets, fields);
  return { chosen: () => (name() === null ? { rules: "", options } : { rules: name() }) };
}

/** Make the control of an option; `put(value)` receives each new value. */
function field(option, value, put) {
  if (option.kind === "each") return each(option, value, put);
  const help = option.help && make("p", { class: "hint", id: `help ${option.name}`.replaceAll(" ", "-") }, option.help);
  const control = option.kind === "pick" ? pick(option, value, put) : number(option, value, put);
  if (help) control.setAttribute("aria-describedby", help.id);
  return make("div", {}, make("label", { class: "option-row" }, make("span", {}, option.label), control), help);
}

function pick({ values }, value, put) {
  const at = values.findIndex((one) => JSON.stringify(one.value) === JSON.stringify(value));
  return make("select", { onchange: ({ target }) => put(values[target.selectedIndex].value) },
    values.map(({ label }, index) => make("option", { selected: index === at }, label)));
}

function number({ low, high, none }, value, put) {
  return make("input", {
    type: "number", inputmode: "numeric", min: low, max: high, value: value === null ? "" : String(value), placeholder: none,
    oninput: ({ target }) => put(target.value === "" ? null : Number(target.value)),
  });
}

/** Make the control of a list of numbers: one field per place. */
function each(option, value, put) {
  const now = [...value];
  const at = (place) => (one) => put((now[place] = one, [...now]));
  return make("fieldset", { class: "places" }, make("legend", {}, option.label), option.help && make("p", { class: "hint" }, option.help), option.fields.map((one, place) =>
    make("label", { class: "option-row" }, make("span", {}, one.label), number(one, now[place], at(place)))));
}
