// A knock: with one way to lay out the melds it is made at once; with several, its owner chooses.

import { post } from './api.js';
import { face } from './cards.js';
import { h } from './dom.js';
import { render } from './page.js';
import { meldKind, spoken } from './words.js';

const LAYOUTS_SHOWN = 12;

export class Knocking {
  #seat;
  #card = null;
  #layouts = [];
  #deadwood = 0;

  constructor(seat) {
    this.#seat = seat;
  }

  /** Knock with a card: the service says how what is left can be laid out. */
  async begin(card) {
    const cards = this.#seat.hand.cards.filter((other) => other !== card);
    const { layouts, deadwood } = await post('/v1/analysis/melds', { cards });
    if (layouts.length < 2) return this.#knock(card, layouts[0]);
    [this.#card, this.#layouts, this.#deadwood] = [card, layouts.slice(0, LAYOUTS_SHOWN), deadwood];
    render();
    return queueMicrotask(() => document.getElementById('layouts').showModal());
  }

  #knock(card, melds) {
    this.#card = null;
    return this.#seat.move({ action: 'knock', card, melds });
  }

  #choose(layout) {
    document.getElementById('layouts').close();
    this.#knock(this.#card, layout);
  }

  dialog() {
    return h(
      'dialog',
      { id: 'layouts', 'aria-labelledby': 'layouts-title', key: 'layouts' },
      h(
        'h2',
        { id: 'layouts-title' },
        this.#deadwood ? `Knock with ${this.#deadwood}: which melds?` : 'Gin: which melds?',
      ),
      h('p', {}, 'They count the same; what can be laid off on them differs.'),
      h(
        'div',
        { class: 'layouts' },
        this.#card &&
          this.#layouts.map((layout, place) =>
            h(
              'button',
              { class: 'layout', key: place, onclick: () => this.#choose(layout), 'aria-label': spokenLayout(layout) },
              layout.map((meld) =>
                h(
                  'span',
                  { class: 'cards small' },
                  meld.map((card) => h('span', { class: 'card' }, face(card))),
                ),
              ),
            ),
          ),
      ),
      h('button', { class: 'quiet', onclick: () => document.getElementById('layouts').close() }, 'Not yet'),
    );
  }
}

const spokenLayout = (layout) => layout.map((meld) => `${meldKind(meld)} of ${meld.map(spoken).join(', ')}`).join('; ');
