// One answer while a player enters it: the answers so far, the fields that follow, and undo.

/**
 * An answer to one `ask`; `changed()` is called whenever the page must show something new.
 *
 * `learn(given)` asks the box which fields follow; `begun` contains the initial answers, for example of an act to amend.
 */
export class Entry {
  constructor(ask, changed, learn, begun = granted(ask)) {
    Object.assign(this, { ask, changed, begun, fields: ask.fields, refusal: "", taps: [], opened: new Set() });
    this.entered = begun; // answers by field, including incomplete ones
    this.asked = null; // the last request for the following fields
    this.learned = Promise.resolve(); // resolves when the last request has returned
    this.learn = learn;
    this.silent = false; // whether the box did not answer the last request
    this.known = false; // whether it did, with the fields that follow
    this.lost = 0; // how often answers went that are no longer offered
  }

  /** Return the complete answers by field. */
  get given() {
    const whole_ = this.fields.filter((field) => whole(field, this.entered[field.name]));
    return Object.fromEntries(whole_.map((field) => [field.name, this.entered[field.name]]));
  }

  /** Return the act to send. */
  get act() {
    return { do: this.ask.verb, ...this.given };
  }

  /** Return the required fields that have no complete answer. */
  get missing() {
    return this.fields.filter((field) => !(field.optional && this.entered[field.name] === undefined) && !whole(field, this.entered[field.name]));
  }

  /** Return why the box would refuse the act, "" while an answer is missing. */
  get objection() {
    return this.missing.length ? "" : this.refusal;
  }

  /** Return whether the act can be sent. */
  get ready() {
    return this.missing.length === 0 && !this.refusal;
  }

  /** Add answers, {name: value}; undefined removes one. Then ask the box which fields follow. */
  async answer(values) {
    this.taps.push(this.entered);
    this.entered = { ...this.entered, ...values };
    const first = this.fields.findIndex((field) => field.name in values);
    for (const { name } of this.fields.slice(first + 1)) {
      if (!(name in values) && !this.#own(name)) delete this.entered[name]; // the field followed from another answer
    }
    await this.look();
  }

  /** Undo the last answer. */
  async back() {
    this.entered = this.taps.pop() || this.begun;
    await this.look();
  }

  /** Take over the answers to an earlier question. Those that are no longer offered go, and `lost()` is called. */
  async take(entered, lost) {
    this.entered = { ...this.begun, ...entered };
    this.taps = differs(this) ? [this.begun] : [];
    this.#shed(this.entered, lost);
    await this.look();
    if (!this.known) return;
    const present = this.fields.filter(({ name }) => name in this.entered).map(({ name }) => [name, this.entered[name]]);
    if (this.#shed(Object.fromEntries(present), lost)) await this.look();
  }

  /** Keep of `answers` those before the first that its field does not offer. Return whether any answer is gone. */
  #shed(answers, lost) {
    const gone = this.fields.findIndex((field) => answers[field.name] !== undefined && !offers(field, answers[field.name]));
    const before = this.fields.slice(0, gone).map(({ name }) => name); // what comes after it was entered for it
    const kept = gone < 0 ? answers : Object.fromEntries(Object.entries(answers).filter(([name]) => before.includes(name)));
    if (Object.keys(kept).length === Object.keys(this.entered).length) return false;
    this.entered = kept;
    this.taps = differs(this) ? [this.begun] : [];
    this.lost += 1;
    lost();
    return true;
  }

  /** Ask the box which fields follow, and whether it would refuse the act. */
  look() {
    return (this.learned = this.#look());
  }

  async #look() {
    const asked = {};
    this.asked = asked;
    this.refusal = "";
    this.changed();
    const sent = this.given;
    const { ok, status, body, error } = await this.learn(sent);
    if (asked !== this.asked) return;
    const before = JSON.stringify([this.fields, this.objection]);
    if (ok) this.fields = [...this.ask.fields, ...body.fields.filter((field) => !this.#own(field.name))];
    this.refusal = ok ? body.refusal : status === 409 ? "" : error;
    [this.silent, this.known] = [status === 0, ok];
    if (JSON.stringify(this.given) !== JSON.stringify(sent)) return this.#look(); // a quick tap is complete by the new fields only
    if (JSON.stringify([this.fields, this.objection]) !== before) this.changed(); // else nothing must move
  }

  #own(name) {
    return this.ask.fields.some((field) => field.name === name);
  }
}

/** Return whether an Entry, or the draft of one, has more than its initial answers. */
export const differs = ({ begun, entered }) => JSON.stringify(entered) !== JSON.stringify(begun);

/** Return whether `value` is a complete answer to `field`, judged by its size. */
export function whole(field, value) {
  if (value === undefined) return false;
  if (field.kind === "some") return value.length >= field.least;
  if (field.kind === "each") return field.fields.every((one, place) => whole(one, value[place]));
  if (field.kind === "forms") return value.length >= field.least && value.every((form) => field.fields.every((one) => whole(one, form[one.name])));
  if (field.kind === "text") return value === null || value.length >= field.least;
  return value !== null || field.kind !== "number" || Boolean(field.null); // a draft has null for a place without an answer
}

/** Return whether `field` still offers `value`, which may be incomplete: each part must be among its options and limits. */
export function offers(field, value) {
  if (field.kind === "number") return value === null ? field.null : value >= field.low && value <= field.high;
  if (field.kind === "text") return value === null ? field.null : value.length <= field.most;
  if (field.kind === "each") return value.every((one, place) => one === undefined || one === null || offers(field.fields[place], one));
  if (field.kind === "forms") return value.length <= field.most && value.every((form) => field.fields.every((one) => form[one.name] === undefined || offers(one, form[one.name])));
  const chosen = field.kind === "some" ? value : [value];
  const times = (option) => chosen.filter((one) => one === option.value).length;
  const open = field.options.filter((option) => !option.off && (field.again || field.kind === "pick" || times(option) <= option.count));
  return chosen.length <= (field.most ?? 1) && chosen.every((one) => open.some((option) => option.value === one));
}

/** Return the first option that is on as the answer to a field, {} if none is. */
function firstOf({ name, options }) {
  const first = options.find(({ off }) => !off);
  return first ? { [name]: first.value } : {};
}

/** Return the initial answers: the usual ones if there are several fields, fields with only one possible value or taken in order. */
export function granted({ fields, usual }) {
  const entered = {};
  for (const field of fields) {
    if (usual && field.name in usual && fields.length > 1) entered[field.name] = usual[field.name];
    else if (field.optional) continue;
    else if (field.in_order) Object.assign(entered, firstOf(field));
    else if (field.kind === "some" && field.most === 0) entered[field.name] = [];
    else if (field.kind === "number" && field.low === field.high && !field.null) entered[field.name] = field.low;
  }
  return entered;
}
