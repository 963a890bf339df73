// Games of other people on the referee's phone: the shelves of the box, what they have, and installing and removing it.

import { confirmed } from "./confirm.js";
import { again, fill, make } from "./make.js";
import { post } from "./send.js";
import { say, sayN, spoken } from "./words.js";

/** Return what shows the shelves of the box: `show(work)` changes its `place` to the state of their last task. */
export function shelfView(tell) {
  const place = make("div", { class: "shelf-work" });
  let held = { shelves: [], games: [] };
  let looks = 0; // of which reading this is
  let now = null;
  let shown = ""; // the state and the language that the place shows, as text
  const form = make("form", { class: "add-shelf", onsubmit: add },
    make("label", {}, make("span", { text: () => say("Address of a shelf") }), make("input", {
      name: "shelf", type: "url", inputmode: "url", placeholder: "https://", required: true, maxlength: 500, autocomplete: "off", "data-key": "shelf address",
    })),
    make("button", { "data-key": "add", text: () => say("Add the shelf") }));

  const use = async (task, more = {}) => {
    const { ok, error } = await post("api/shelf", { task, ...more });
    if (!ok) tell(error);
    return ok;
  };

  async function add(event) {
    event.preventDefault();
    if (await use("add", { shelf: new FormData(form).get("shelf").trim() })) form.reset();
  }

  /** Read the shelves once somebody looks. */
  function opened({ target }) {
    if (target.open && now?.task === null) use("look");
  }

  async function show(work) {
    const state = JSON.stringify([spoken(), work]);
    if (state === shown) return;
    [now, shown] = [work, state];
    if (!work) return;
    if (work.looks !== looks) {
      const { ok, body } = await post("api/shelf-games", {});
      if (ok) [held, looks] = [body, work.looks];
      else shown = ""; // it could not be read: the next document tries again
    }
    if (now === work) draw();
  }

  function draw() {
    again(form);
    const busy = now.stage === "busy";
    fill(place, make("details", { "data-key": "shelf", ontoggle: opened }, make("summary", {}, say("Games of other people")),
      now.text && make("p", { role: "status", class: now.stage === "failed" ? "objection" : "" }, now.text),
      busy && make("progress", { max: 100, value: now.percent, "aria-label": say("Games of other people") }),
      held.games.length > 0 && make("ul", { class: "games" }, held.games.map((game) => offer(game, busy))),
      now.looks > 0 && !held.shelves.length && make("p", {}, say("No shelf has been added yet. A shelf is an address where somebody publishes games.")),
      held.shelves.map((shelf) => known(shelf, busy)),
      !busy && form,
      !busy && make("button", { type: "button", class: "plain", "data-key": "look", onclick: () => use("look") }, say("Read the shelves again"))));
  }

  function offer(game, busy) {
    const own = { shelf: game.shelf, game: game.game };
    const told = facts(game).join(" · ");
    return make("li", { "data-key": `offer ${game.shelf} ${game.game}` },
      make("h3", {}, game.title, " ", make("span", { class: "soft" }, game.version || game.installed)),
      game.expands && make("p", {}, say("expands {game}", { game: game.expands })),
      told && make("p", {}, told),
      game.installed && make("p", {}, game.newer ? say("Version {version} is installed. The shelf has another one.", { version: game.installed }) : say("Installed")),
      game.check.length > 0 && make("details", { "data-key": `check ${game.shelf} ${game.game}` }, make("summary", {}, say("Report of its check")),
        make("ul", { class: "report", lang: "en" }, game.check.map((line) => make("li", {}, line)))),
      !busy && game.version && (!game.installed || game.newer) && confirmed(`install ${game.shelf} ${game.game}`, game.installed ? say("Bring up to date") : say("Install"),
        say("A game is a program. Install it only if you trust the people who publish it."), () => use("install", own)),
      !busy && game.installed && confirmed(`remove ${game.game}`, game.expands ? say("Remove the expansion") : say("Remove the game"),
        game.expands ? say("The expansion is removed from the box. Matches with it stay.") : say("The game is removed from the box. Its matches stay."), () => use("remove", own)));
  }

  function known(shelf, busy) {
    return make("details", { class: "shelf", "data-key": `known ${shelf.where}` }, make("summary", {}, shelf.where),
      shelf.trouble && make("p", { class: "objection" }, shelf.trouble, "."),
      make("p", {}, say("Key of its owner:"), " ", make("code", {}, shelf.key)),
      !busy && confirmed(`forget ${shelf.where}`, say("Remove the shelf"), say("The shelf is removed. Games from it stay installed."), () => use("forget", { shelf: shelf.where })));
  }

  return { place, show };
}

/** Return what is known of a game: players, length, fairness, languages and licence. */
function facts(game) {
  const [low, high] = game.players;
  return [
    high > 0 && (low < high ? say("{low} to {high} players", { low, high }) : sayN("{number} player", "{number} players", low)),
    game.minutes != null && sayN("about {number} minute", "about {number} minutes", Math.max(1, Math.round(game.minutes))),
    game.equal != null && (game.equal ? say("equal seats") : say("seats are not equal")),
    game.languages.join(", "),
    game.version && (game.licence ? say("licence {name}", { name: game.licence }) : say("licence not named")),
  ].filter(Boolean);
}
