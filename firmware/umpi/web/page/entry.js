// One answer while it is put together: what has been given, what follows from it, and the way back.

/**
 * An answer to `ask`, one of an offer; `changed()` is called whenever there is more to show.
 *
 * `learn(given)` asks the box which fields follow; `begun` is what stands in it at first, as in an act to be amended.
 */
export class Entry {
  constructor(ask, changed, learn, begun = granted(ask)) {
    Object.assign(this, { ask, changed, begun, fields: ask.fields, refusal: "", taps: [], opened: new Set() });
    this.told = begun; // by field, also what is not whole yet
    this.asked = 0; // how many looks at it have been asked for
    this.learned = Promise.resolve(); // once the last has come back
    this.learn = learn;
    this.silent = false; // whether the box did not answer when it was asked last
  }

  /** What can be sent so far, by field. */
  get given() {
    const whole_ = this.fields.filter((field) => whole(field, this.told[field.name]));
    return Object.fromEntries(whole_.map((field) => [field.name, this.told[field.name]]));
  }

  /** The act as it can be sent. */
  get act() {
    return { do: this.ask.verb, ...this.given };
  }

  /** The fields that must be answered and are not yet. */
  get missing() {
    return this.fields.filter((field) => !(field.optional && this.told[field.name] === undefined) && !whole(field, this.told[field.name]));
  }

  /** Why the whole would be refused, "" while something is still to be told. */
  get objection() {
    return this.missing.length ? "" : this.refusal;
  }

  /** Whether it can be sent. */
  get ready() {
    return this.missing.length === 0 && !this.refusal;
  }

  /** Take answers, {name: value}, undefined where one is taken out; then learn what follows. */
  async answer(values) {
    this.taps.push(this.told);
    this.told = { ...this.told, ...values };
    const first = this.fields.findIndex((field) => field.name in values);
    for (const { name } of this.fields.slice(first + 1)) {
      if (!(name in values) && !this.#own(name)) delete this.told[name]; // it followed from another answer
    }
    await this.look();
  }

  /** Take the last answer back. */
  async back() {
    this.told = this.taps.pop() || this.begun;
    await this.look();
  }

  /** Ask the box which fields follow, and whether the whole would be refused. */
  look() {
    return (this.learned = this.#look());
  }

  async #look() {
    const asked = ++this.asked;
    this.refusal = "";
    this.changed();
    const { ok, status, body, error } = await this.learn(this.given);
    if (asked !== this.asked) return;
    const before = JSON.stringify([this.fields, this.objection]);
    if (ok) this.fields = [...this.ask.fields, ...body.fields.filter((field) => !this.#own(field.name))];
    this.refusal = ok ? body.refusal : status === 409 ? "" : error;
    this.silent = status === 0;
    if (JSON.stringify([this.fields, this.objection]) !== before) this.changed(); // else nothing moves under the finger
  }

  #own(name) {
    return this.ask.fields.some((field) => field.name === name);
  }
}

/** Whether `value` is a whole answer to `field`, as far as its size goes. */
export function whole(field, value) {
  if (value === undefined) return false;
  if (field.kind === "some") return value.length >= field.least;
  if (field.kind === "each") return field.fields.every((one, place) => whole(one, value[place]));
  if (field.kind === "forms") return value.length >= field.least && value.every((form) => field.fields.every((one) => whole(one, form[one.name])));
  if (field.kind === "text") return value === null || value.length >= field.least;
  return true;
}

/** What can be taken for granted: what is usual where more is asked, and what can be only one thing. */
function granted({ fields, usual }) {
  const told = {};
  for (const field of fields) {
    if (usual && field.name in usual && fields.length > 1) told[field.name] = usual[field.name];
    else if (field.optional) continue;
    else if (field.kind === "some" && field.most === 0) told[field.name] = [];
    else if (field.kind === "number" && field.low === field.high && !field.null) told[field.name] = field.low;
  }
  return told;
}
