// The answer to a knock: what to lay off on which meld. It begins with the best, as the service counts it; every card
// can be taken back or put elsewhere, by tapping the card and then the meld.

import { post } from './api.js';
import { face } from './cards.js';
import { h } from './dom.js';
import { attempt, render } from './page.js';
import { byRank, fits, inMeld } from './sorting.js';
import { counted, meldKind, nameOf, spoken, written } from './words.js';

export class Answering {
  #seat;
  #hand = null; // the hand that is answered
  #layoffs = []; // in order: {card, onto}
  #melds = []; // our own melds, of the cards that are left
  #deadwood = 0;
  #picked = null;

  constructor(seat) {
    this.#seat = seat;
  }

  isFor(hand) {
    return this.#hand?.id === hand.id;
  }

  /** Begin with the best answer. */
  async begin(hand) {
    if (this.isFor(hand)) return;
    const { melds, deadwood_cards } = hand.knock;
    const result = await post('/v1/analysis/showdown', {
      knocker: [...melds.flat(), ...deadwood_cards],
      melds,
      defender: hand.cards,
    });
    const best = result.seats[1];
    this.#hand = hand;
    [this.#layoffs, this.#melds, this.#deadwood] = [best.layoffs, best.melds, best.deadwood];
    render();
  }

  get #left() {
    return this.#hand.cards.filter((card) => !this.#layoffs.some((laid) => laid.card === card));
  }

  /** The knocker's melds with what is laid on them. */
  get #table() {
    const on = (place) => this.#layoffs.filter((laid) => laid.onto === place).map((laid) => laid.card);
    return this.#hand.knock.melds.map((meld, place) => inMeld([...meld, ...on(place)]));
  }

  #pick(card) {
    this.#picked = this.#picked === card ? null : card;
    render();
  }

  #layOn(onto) {
    this.#layoffs = [...this.#layoffs, { card: this.#picked, onto }];
    this.#picked = null;
    return this.#count();
  }

  /** Take a card back, and with it whatever was built on it. */
  #takeBack(card) {
    let kept = [];
    for (const laid of this.#layoffs.filter((other) => other.card !== card)) {
      const meld = [
        ...this.#hand.knock.melds[laid.onto],
        ...kept.filter((other) => other.onto === laid.onto).map((other) => other.card),
      ];
      if (fits(laid.card, meld)) kept = [...kept, laid];
    }
    this.#layoffs = kept;
    return this.#count();
  }

  #count() {
    return attempt(async () => {
      const left = this.#left;
      const counted = left.length ? await post('/v1/analysis/melds', { cards: left }) : { layouts: [[]], deadwood: 0 };
      [this.#melds, this.#deadwood] = [counted.layouts[0], counted.deadwood];
    });
  }

  #answer() {
    this.#seat.move({ action: 'layoff', melds: this.#melds, layoffs: this.#layoffs });
  }

  view() {
    const { knock } = this.#hand;
    const who = nameOf(this.#seat.table, knock.seat, this.#hand.seat);
    return [
      h(
        'div',
        { class: 'felt answering', key: 'answering' },
        h('h2', {}, `${who} knocked with ${knock.deadwood}`),
        h(
          'div',
          { class: 'declared' },
          this.#table.map((meld, place) => this.#target(meld, place)),
          this.#deadwoodOf(knock),
        ),
        this.#own(),
      ),
      h(
        'div',
        { class: 'actions', key: 'actions' },
        this.#seat.problem && h('p', { class: 'prompt refused', role: 'alert' }, this.#seat.problem.message),
        h(
          'p',
          { class: 'prompt' },
          this.#picked
            ? `Lay ${written(this.#picked)} on a lit meld.`
            : 'Tap a card to lay it off, or to take it back.',
        ),
        h(
          'button',
          { class: 'primary', id: 'answer', disabled: Boolean(this.#seat.sending), onclick: () => this.#answer() },
          this.#layoffs.length ? `Lay off ${counted(this.#layoffs.length, 'card')}` : 'Lay off nothing',
          h('small', {}, ` deadwood ${this.#deadwood}`),
        ),
      ),
    ];
  }

  #target(meld, place) {
    const isLit = this.#picked !== null && fits(this.#picked, meld);
    const laid = (card) => this.#layoffs.some((one) => one.card === card);
    return h(
      'div',
      { class: `group ${meldKind(meld)}${isLit ? ' lit' : ''}`, key: place },
      h(
        'div',
        { class: 'cards' },
        meld.map((card) =>
          laid(card)
            ? h(
                'button',
                {
                  class: 'card laid',
                  key: card,
                  'data-card': card,
                  'aria-label': `${spoken(card)}, laid off: take back`,
                  onclick: () => this.#takeBack(card),
                },
                face(card),
              )
            : h(
                'span',
                { class: 'card', key: card, 'data-card': card, role: 'img', 'aria-label': spoken(card) },
                face(card),
              ),
        ),
      ),
      h('span', { class: 'label', 'aria-hidden': 'true' }, meldKind(meld)),
      isLit && h('button', { class: 'onto', onclick: () => this.#layOn(place) }, `Lay ${written(this.#picked)} here`),
    );
  }

  #deadwoodOf(knock) {
    if (!knock.deadwood_cards.length) return null;
    return h(
      'div',
      { class: 'group deadwood', key: 'deadwood' },
      h(
        'div',
        { class: 'cards' },
        knock.deadwood_cards.map((card) =>
          h(
            'span',
            { class: 'card', key: card, 'data-card': card, role: 'img', 'aria-label': `${spoken(card)}, deadwood` },
            face(card),
          ),
        ),
      ),
      h('span', { class: 'label' }, `Deadwood ${knock.deadwood}`),
    );
  }

  #own() {
    const melded = this.#melds.flat();
    const rest = this.#left.filter((card) => !melded.includes(card)).sort(byRank);
    const groups = [...this.#melds.map((meld) => [meldKind(meld), meld]), ...(rest.length ? [['deadwood', rest]] : [])];
    return h(
      'section',
      { class: 'own', 'aria-label': 'Your hand' },
      h(
        'div',
        { class: 'groups' },
        groups.map(([kind, cards]) =>
          h(
            'div',
            { class: `group ${kind}`, role: 'group', 'aria-label': kind, key: cards.join() },
            h(
              'div',
              { class: 'cards' },
              cards.map((card) => this.#ownCard(card, kind)),
            ),
            h(
              'span',
              { class: 'label', 'aria-hidden': 'true' },
              kind === 'deadwood' ? `Deadwood ${this.#deadwood}` : kind,
            ),
          ),
        ),
      ),
    );
  }

  #ownCard(card, kind) {
    const isOffered = this.#table.some((meld) => fits(card, meld));
    return h(
      'button',
      {
        class: `card${card === this.#picked ? ' chosen' : ''}${isOffered ? ' offered' : ''}`,
        key: card,
        'data-card': card,
        'aria-pressed': String(card === this.#picked),
        'aria-disabled': isOffered ? null : 'true',
        'aria-label': [spoken(card), kind === 'deadwood' ? kind : `in a ${kind}`, isOffered && 'can be laid off']
          .filter(Boolean)
          .join(', '),
        onclick: () => isOffered && this.#pick(card),
      },
      face(card),
    );
  }
}
