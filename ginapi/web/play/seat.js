// One seat at one table as the service last described it: the table, the hand, what was played, and nothing that it has
// not said. Every device that sits here follows the same log.

import { get, getSurely, post, Problem, Unheard } from './api.js';
import { tokenAt } from './device.js';
import { remember } from './fair.js';
import { follow } from './follow.js';

const SHOWN_AT_LEAST_MS = 6000;

export class Seat {
  table = null;
  hand = null;
  log = []; // the records of the hand, from its first
  sending = null; // what the service has not answered yet
  problem = null; // the last refusal, until something new is known

  #changed;
  #refused;
  #stop = () => {};
  #until = 0; // till when the end of the hand is shown, whoever deals the next
  #dealt = null; // a newer hand that is there already, while the end of this one is still looked at

  /** `changed(before)` is called with `{hand, log}` as they were; `refused(problem)` when the seat cannot be seen. */
  constructor(tableId, changed, refused) {
    this.id = tableId;
    this.as = tokenAt(tableId); // Whose seat is shown here: nobody else acts at it.
    this.#changed = changed;
    this.#refused = refused;
  }

  open() {
    this.#stop = follow(this.id, (table) => this.#look(table), this.#refused);
  }

  close() {
    this.#stop();
    // What is answered from here on is shown by nobody.
    this.#changed = () => {};
    this.#refused = () => {};
  }

  /** The seat that is ours, or null for one who only watches. */
  get mine() {
    return this.table?.seats.find((seat) => seat.you)?.seat ?? null;
  }

  get isMyTurn() {
    return this.hand !== null && this.hand.turn !== null && this.hand.turn === this.hand.seat && !this.sending;
  }

  /** The number of a hand that was dealt while the end of this one is still shown, or null. */
  get dealtOn() {
    return this.#dealt;
  }

  async #look(table) {
    if (this.table && table.version < this.table.version) return;
    const isSeated = table.seats.some((seat) => seat.you);
    const handId = this.#isEndShown(table) ? this.hand.id : table.hand_id;
    if (isSeated && handId) this.#accept(table, ...(await this.#fetched(handId)));
    else this.#accept(table, null, []);
  }

  /** Whether the end of the hand that we know has still to be looked at, though the next one is dealt. */
  #isEndShown(table) {
    if (!this.hand || table.hand_id === this.hand.id) return false;
    if (this.#dealt === null && !this.hand.result) this.#until = performance.now() + SHOWN_AT_LEAST_MS;
    const left_ms = this.#until - performance.now();
    if (left_ms <= 0) return false;
    if (this.#dealt === null) setTimeout(() => this.#dealt !== null && this.goOn().catch(() => {}), left_ms);
    this.#dealt = Number(table.hand_id.split('-').pop());
    return true;
  }

  async #fetched(handId) {
    const known = this.hand?.id === handId ? this.log : [];
    const hand = await get(`/v1/hands/${handId}`, { at: this.id });
    const news = await this.#records(handId, known.length);
    return [hand, joined(known, news).slice(0, hand.version)];
  }

  async #records(handId, after) {
    const records = [];
    let next = null;
    do {
      const cursor = next ? `&cursor=${encodeURIComponent(next)}` : '';
      const page = await get(`/v1/hands/${handId}/moves?after=${after}${cursor}`, { at: this.id });
      records.push(...page.items);
      next = page.next;
    } while (next);
    return records;
  }

  #accept(table, hand, log) {
    const before = { table: this.table, hand: this.hand, log: this.log };
    if (table && (!this.table || table.version >= this.table.version)) this.table = table;
    if (hand && isNewer(hand, this.hand)) {
      if (this.hand?.id !== hand.id) this.#dealt = null;
      if (hand.result && !this.hand?.result) this.#until = performance.now() + SHOWN_AT_LEAST_MS;
      remember(hand);
      this.hand = hand;
      this.log = log;
      this.problem = null;
    }
    this.#changed(before);
  }

  /** Make a move on the hand as it is known here. Two devices at one seat: the version says what was decided on. */
  async move(move) {
    if (this.sending) return;
    const { id, version } = this.hand;
    this.#send(move);
    try {
      const { played, ...hand } = await post(`/v1/hands/${id}/moves`, move, { at: this.id, as: this.as, version });
      const log = joined(this.log, played);
      // Whether the match is over too, the table says.
      const isWhole = !hand.result && log.length === hand.version;
      if (isWhole) this.sending = null;
      this.#accept(null, hand, log);
      if (!isWhole) await this.refresh();
      this.sending = null;
      if (!isWhole) this.#changed({ table: this.table, hand: this.hand, log: this.log });
    } catch (error) {
      this.sending = null;
      if (!(error instanceof Problem || error instanceof Unheard)) throw error;
      await this.#refusedMove(error);
    }
  }

  async #refusedMove(problem) {
    if (problem.status === 401) return this.#refused(problem);
    try {
      await this.refresh();
    } catch {
      // Following goes on, and brings the state as soon as it can be had.
    }
    this.problem = problem;
    return this.#changed({ table: this.table, hand: this.hand, log: this.log });
  }

  /** Ask for everything anew. */
  async refresh() {
    const table = await getSurely(`/v1/tables/${this.id}`, { at: this.id });
    await this.#look(table);
  }

  /** The next hand: dealt now, or by whoever asked first. */
  async next() {
    if (this.#dealt !== null) return this.goOn();
    if (this.sending) return undefined;
    this.#send({ action: 'deal' });
    try {
      const number = this.hand.number + 1;
      const { played, ...hand } = await post(`/v1/tables/${this.id}/hands`, { number }, { at: this.id, as: this.as });
      this.#dealt = null;
      this.#accept(null, hand, hand.version === 0 ? [] : await this.#records(hand.id, 0));
      return await this.refresh();
    } finally {
      this.sending = null;
    }
  }

  #send(what) {
    this.sending = what;
    this.#changed({ table: this.table, hand: this.hand, log: this.log });
  }

  /** Look at the hand that runs. */
  async goOn() {
    this.#until = 0;
    return this.refresh();
  }
}

const isNewer = (hand, known) =>
  !known || hand.number > known.number || (hand.number === known.number && hand.version >= known.version);

/** A log and what came after it; what both have stands once. */
function joined(known, news) {
  const all = [...known];
  for (const record of news) if (record.version === all.length + 1) all.push(record);
  return all;
}
