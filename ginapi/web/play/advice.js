// What a strong player would do: a hint at practice tables, and the review of a finished hand. Where the service gives
// none, nothing is offered.

import { get, getSurely } from './api.js';
import { h } from './dom.js';
import { attempt, render, say } from './page.js';
import { proposed, spoken, written } from './words.js';

const NOT_GIVEN = [403, 404];

export class Hints {
  #seat;
  #hint = null;
  #isGiven = true;

  constructor(seat) {
    this.#seat = seat;
  }

  get #isOffered() {
    return this.#isGiven && this.#seat.table.kind === 'practice' && this.#seat.isMyTurn;
  }

  /** Ask what to do now. */
  ask() {
    if (!this.#isOffered) return undefined;
    return attempt(async () => {
      try {
        this.#hint = await get(`/v1/hands/${this.#seat.hand.id}/hint`, { at: this.#seat.id });
        say(`Hint: ${proposed(this.#hint.move, spoken)}. ${this.#hint.why}`);
      } catch (error) {
        if (!NOT_GIVEN.includes(error.status)) throw error;
        this.#isGiven = false;
      }
    });
  }

  button() {
    return this.#isOffered && h('button', { class: 'quiet', id: 'hint', onclick: () => this.ask() }, 'Hint');
  }

  /** The hint, as long as it is for what is due now. */
  line() {
    const { id, version } = this.#seat.hand;
    if (this.#hint?.hand_id !== id || this.#hint.version !== version) return null;
    return h('p', { class: 'hint' }, h('strong', {}, `Hint: ${proposed(this.#hint.move)}.`), ` ${this.#hint.why}`);
  }
}

/** The review of a hand by the version of each move; empty where it is not given. */
export async function reviewOf(handId, tableId) {
  const found = new Map();
  let next = '';
  try {
    do {
      const page = await getSurely(`/v1/hands/${handId}/review${next}`, { at: tableId });
      for (const one of page.items) found.set(one.version, one);
      next = page.next && `?cursor=${encodeURIComponent(page.next)}`;
    } while (next);
  } catch (error) {
    if (!NOT_GIVEN.includes(error.status)) throw error;
  }
  render();
  return found;
}

/** What is to be said of a move in its review. */
export function reviewLine(one, mine) {
  if (!one || one.seat !== mine) return null;
  if (one.same) return h('p', { class: 'review same' }, '✓ As a strong player would.');
  const more = one.difference > 0 ? ` That is ${one.difference} deadwood less.` : '';
  return h('p', { class: 'review' }, h('strong', {}, `A strong player: ${proposed(one.hard)}.`), ` ${one.why}${more}`);
}
