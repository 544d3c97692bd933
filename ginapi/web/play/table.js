// The table as one plays at it: who sits there, the piles, one's hand, and what can be done now.

import { post } from './api.js';
import { Hints } from './advice.js';
import { settings, tokenAt } from './device.js';
import { h } from './dom.js';
import { fit } from './drag.js';
import { ending, matchOver, soFar } from './ending.js';
import { ownHand } from './hand.js';
import { houseRules } from './house.js';
import { Knocking } from './knocking.js';
import { Answering } from './layoff.js';
import { leaving } from './leaving.js';
import { glide } from './motion.js';
import { head } from './head.js';
import { attempt, go, notice, render, say, show } from './page.js';
import { middle, opponentRow } from './piles.js';
import { Seat } from './seat.js';
import { told } from './told.js';
import { isShedding, knockOffer, mayDiscard, mayDraw, mayKnock, mayPass } from './turn.js';
import { gone, waiting } from './waiting.js';
import { spoken, written } from './words.js';

export function table(tableId) {
  const at = new AtTable(tableId);
  return {
    title: 'Table',
    place: 'table',
    isTable: true,
    view: () => at.view(),
    painted: () => at.painted(),
    lost: () => render(),
    whose: () => tokenAt(tableId),
    close: () => at.close(),
  };
}

class AtTable {
  chosen = null;
  left = null; // what shedding each card leaves, once the service has counted it
  limit = 10;
  #counted = ''; // the hand and version that `left` is of
  #refused = null;
  #focus = null; // where the keyboard goes once it is painted
  #keys = (event) => this.#key(event);

  constructor(tableId) {
    this.seat = new Seat(
      tableId,
      (before) => this.#changed(before),
      (problem) => {
        this.#refused = problem;
        render();
      },
    );
    this.knocking = new Knocking(this.seat);
    this.answering = new Answering(this.seat);
    this.hints = new Hints(this.seat);
    houseRules().then(
      ({ values }) => {
        this.limit = values.knock_limit;
        render();
      },
      () => {},
    );
    document.addEventListener('keydown', this.#keys);
    this.seat.open();
  }

  close() {
    document.removeEventListener('keydown', this.#keys);
    this.seat.close();
  }

  #changed(before) {
    const { hand } = this.seat;
    const isNew = hand && (before.hand?.id !== hand.id || before.hand?.version !== hand.version);
    if (isNew) {
      this.chosen = null;
      this.#focus = focusOf(hand, before.hand);
      for (const text of told(this.seat, before)) say(text);
      if (hand.phase === 'discard' && hand.turn === hand.seat) this.#count(hand);
      if (hand.phase === 'layoff' && hand.turn === hand.seat) attempt(() => this.answering.begin(hand));
    }
    document.title = `${this.seat.isMyTurn ? '● Your turn' : 'Table'} – Gin rummy`;
    if (this.seat.table?.rematch_table_id && before.table && !before.table.rematch_table_id)
      go(`table=${this.seat.table.rematch_table_id}`);
    render();
  }

  async #count({ id, version, cards }) {
    this.left = null;
    this.#counted = `${id} ${version}`;
    const counted = await attempt(() => post('/v1/analysis/melds', { cards }));
    if (this.#counted === `${id} ${version}`) this.left = counted?.may_knock_with ?? null;
    render();
  }

  painted() {
    glide();
    fit();
    const target = this.#focus && document.querySelector(`${this.#focus}:not(:disabled)`);
    const now = document.activeElement;
    const isFree = now === document.body || now?.closest('.felt, .actions, h1') || now?.tagName === 'H1';
    if (target && isFree && !document.querySelector('dialog[open]')) target.focus({ preventScroll: true });
    if (target) this.#focus = null;
  }

  view() {
    const { table: seen, hand } = this.seat;
    if (this.#refused) return gone(this.#refused, this.seat.id);
    if (!seen)
      return h('p', { class: 'waiting', key: 'coming' }, h('span', { class: 'unseen' }, 'The table is being fetched.'));
    if (seen.status === 'open') return [head(this.seat), waiting(this.seat), leaving(this.seat)];
    if (!hand)
      return [
        head(this.seat),
        h(
          'div',
          { class: 'felt ending', key: 'onlooker' },
          seen.status === 'finished' ? matchOver(this.seat) : lookingOn(),
          soFar(this.seat),
          h('a', { class: 'button', href: '#lobby' }, 'To the lobby'),
        ),
      ];
    return [head(this.seat), this.#played(hand), leaving(this.seat), this.knocking.dialog()];
  }

  #played(hand) {
    if (hand.result) return ending(this.seat);
    if (hand.phase === 'layoff' && hand.turn === hand.seat && this.answering.isFor(hand)) return this.answering.view();
    return [
      h(
        'div',
        { class: 'felt playing', key: 'felt' },
        opponentRow(this.seat),
        middle(this.seat, (from) => this.draw(from)),
        this.#own(hand),
      ),
      this.#actions(hand),
    ];
  }

  #own(hand) {
    return ownHand({
      hand,
      chosen: this.chosen,
      canChoose: isShedding(hand) || settings().sort === 'own',
      choose: (card) => this.choose(card),
      discard: (card) => this.discard(card),
      render,
    });
  }

  #actions(hand) {
    const offer = knockOffer(hand, this.chosen, this.left, this.limit);
    return h(
      'div',
      { class: 'actions', key: 'actions' },
      this.hints.line(),
      this.#said(),
      this.hints.button(),
      mayPass(hand) &&
        h(
          'button',
          {
            id: 'pass',
            disabled: Boolean(this.seat.sending),
            onclick: () => this.pass(),
            'aria-label': `Pass on the ${spoken(hand.discard_pile.at(-1))}`,
          },
          'Pass',
        ),
      offer && [
        h(
          'button',
          {
            class: `knock${offer.isGin ? ' gin' : ''}${this.left && !this.seat.sending ? '' : ' busy'}`,
            id: 'knock',
            disabled: !offer.card || Boolean(this.seat.sending),
            onclick: () => this.knock(),
          },
          offer.text,
          offer.card && h('small', {}, ` with ${written(offer.card)}`),
        ),
        h(
          'button',
          {
            class: 'primary',
            id: 'discard',
            disabled: !this.chosen || !mayDiscard(hand, this.chosen) || Boolean(this.seat.sending),
            onclick: () => this.discard(this.chosen),
          },
          this.chosen ? `Discard ${written(this.chosen)}` : 'Choose a card',
        ),
      ],
    );
  }

  #said() {
    const { hand, sending, problem } = this.seat;
    if (sending) return h('p', { class: 'prompt sending' }, 'Sending…');
    if (problem) return h('p', { class: 'prompt refused', role: 'alert' }, problem.message);
    if (hand.turn !== hand.seat) return h('p', { class: 'prompt' }, 'Their turn.');
    const top = written(hand.discard_pile.at(-1) ?? '  ');
    if (mayPass(hand))
      return h('p', { class: 'prompt' }, 'You are offered ', h('strong', {}, top), ': take it, or pass.');
    if (mayDraw(hand, 'stock') && !mayDraw(hand, 'discard'))
      return h('p', { class: 'prompt' }, 'Your turn: draw from the stock.');
    if (mayDraw(hand, 'stock')) {
      return h('p', { class: 'prompt' }, 'Your turn: draw from the stock, or take ', h('strong', {}, top), '.');
    }
    if (hand.just_taken)
      return h('p', { class: 'prompt' }, `Discard a card. ${written(hand.just_taken)}, just taken, stays this turn.`);
    // On a small screen the buttons beside it say as much.
    return h('p', { class: 'prompt plain' }, mayKnock(hand) ? 'Discard a card, or knock.' : 'Discard a card.');
  }

  choose(card) {
    const { hand } = this.seat;
    if (!isShedding(hand) && settings().sort !== 'own') return undefined;
    if (card === this.chosen && mayDiscard(hand, card)) return this.discard(card);
    if (card === hand.just_taken) say(`The ${spoken(card)} was just taken: keep it this turn.`);
    this.chosen = card === this.chosen ? null : card;
    render();
    return undefined;
  }

  draw(from) {
    if (mayDraw(this.seat.hand, from)) this.seat.move({ action: 'draw', from });
  }

  pass() {
    if (mayPass(this.seat.hand)) this.seat.move({ action: 'pass' });
  }

  discard(card) {
    if (card && mayDiscard(this.seat.hand, card)) this.seat.move({ action: 'discard', card });
  }

  knock() {
    const offer = knockOffer(this.seat.hand, this.chosen, this.left, this.limit);
    if (offer?.card) attempt(() => this.knocking.begin(offer.card));
  }

  #key(event) {
    const { hand } = this.seat;
    if (!settings().keys || event.altKey || event.ctrlKey || event.metaKey || !hand) return;
    if (document.querySelector('dialog[open]') || event.target.closest?.('input, select, textarea, [contenteditable]'))
      return;
    const work = {
      s: () => this.draw('stock'),
      p: () => this.draw('discard'),
      o: () => this.pass(),
      k: () => this.knock(),
      h: () => this.hints.ask(),
      n: () => document.getElementById('next')?.click(),
    }[event.key.toLowerCase()];
    if (work) work();
  }
}

const lookingOn = () =>
  h(
    'div',
    { class: 'verdict' },
    h('h2', {}, 'You are looking on'),
    h('p', {}, 'Cards of a running hand are shown to their seat alone. Finished hands can be seen again.'),
  );

/** Where the keyboard goes when the hand has moved on, so that the next thing to do is under it. */
function focusOf(hand, before) {
  if (hand.result) return '#next';
  if (hand.turn !== hand.seat) return null;
  if (hand.phase === 'draw') return '#stock';
  if (hand.phase === 'offer') return '#pile';
  if (hand.phase === 'layoff') return '#answer';
  return before?.id === hand.id ? `[data-card="${hand.drawn_card ?? hand.cards[0]}"]` : '.own [tabindex="0"]';
}
