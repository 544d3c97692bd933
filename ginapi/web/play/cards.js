// Card faces and backs, drawn: a large index, pips for the numbers, a figure for the court.

import { h } from './dom.js';
import { shownRank } from './words.js';

// Each suit in a square of 20, its middle at 0,0.
const SUITS = {
  s:
    'M0-10C3-5 9-1 9 4a4.8 4.8 0 0 1-7.4 4C1.7 8.6 2.4 9.6 3.6 10h-7.2' +
    'c1.2-.4 1.9-1.4 2-2A4.8 4.8 0 0 1-9 4C-9-1-3-5 0-10z',
  h: 'M0 9.5C-3 6-9.5 1.5-9.5-3.6A5 5 0 0 1 0-5.6 5 5 0 0 1 9.5-3.6C9.5 1.5 3 6 0 9.5z',
  d: 'M0-10C2-6 5-2.5 8 0 5 2.5 2 6 0 10-2 6-5 2.5-8 0-5-2.5-2-6 0-10z',
  c:
    'M0-10a4.7 4.7 0 0 1 3.7 7.6A4.7 4.7 0 1 1 1.4 5C1.5 7 2.3 9.2 3.8 10h-7.6' +
    'C-2.3 9.2-1.5 7-1.4 5A4.7 4.7 0 1 1-3.7-2.4 4.7 4.7 0 0 1 0-10z',
};

const [LEFT, MIDDLE, RIGHT] = [47, 63, 79];
const [TOP, UPPER, CENTRE, LOWER, BOTTOM] = [26, 48, 70, 92, 114];
const PIPS = {
  2: [
    [MIDDLE, TOP],
    [MIDDLE, BOTTOM],
  ],
  3: [
    [MIDDLE, TOP],
    [MIDDLE, CENTRE],
    [MIDDLE, BOTTOM],
  ],
  4: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  5: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [MIDDLE, CENTRE],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  6: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [LEFT, CENTRE],
    [RIGHT, CENTRE],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  7: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [MIDDLE, UPPER],
    [LEFT, CENTRE],
    [RIGHT, CENTRE],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  8: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [MIDDLE, UPPER],
    [LEFT, CENTRE],
    [RIGHT, CENTRE],
    [MIDDLE, LOWER],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  9: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [LEFT, 55],
    [RIGHT, 55],
    [MIDDLE, CENTRE],
    [LEFT, 85],
    [RIGHT, 85],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  T: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [MIDDLE, 40],
    [LEFT, 55],
    [RIGHT, 55],
    [LEFT, 85],
    [RIGHT, 85],
    [MIDDLE, 100],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
};

// What the court wears, over a shield with the suit.
const CROWNS = {
  K: 'M38 52l-4-24 12 10 14-17 14 17 12-10-4 24z',
  Q: 'M40 52l-6-19 10 7 5-13 11 11 11-11 5 13 10-7-6 19zM60 26a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  J: 'M38 52c0-16 8-24 22-24 8 0 16 5 22 3-2 9-2 14-1 21zM74 29c3-8 8-11 14-11-3 4-5 9-7 13z',
};

const suit = (sign, x, y, size, turned = false) =>
  h('path', { d: SUITS[sign], transform: `translate(${x} ${y}) scale(${(turned ? -1 : 1) * (size / 20)})` });

function middle(rank, sign) {
  if (rank === 'A') return suit(sign, 60, 74, 52);
  if (PIPS[rank]) return PIPS[rank].map(([x, y]) => suit(sign, x, y, 20, y > CENTRE));
  return [
    h('path', { class: 'crown', d: CROWNS[rank] }),
    h('path', { class: 'shield', d: 'M36 58h48v30c0 17-12 28-24 34-12-6-24-17-24-34z' }),
    suit(sign, 60, 86, 34),
  ];
}

/** The face of a card as a picture; what it is called stands where the picture is used. */
export function face(card) {
  const [rank, sign] = card;
  return h(
    'svg',
    { class: `face suit-${sign}`, viewBox: '0 0 100 140', 'aria-hidden': 'true', focusable: 'false' },
    h('rect', { class: 'paper', x: 1, y: 1, width: 98, height: 138, rx: 10 }),
    h('text', { class: rank === 'T' ? 'index narrow' : 'index', x: 18, y: 36 }, shownRank(card)),
    suit(sign, 18, 55, 24),
    middle(rank, sign),
  );
}

/** The back of any card. */
export function back() {
  return h(
    'svg',
    { class: 'back', viewBox: '0 0 100 140', 'aria-hidden': 'true', focusable: 'false' },
    h('rect', { class: 'paper', x: 1, y: 1, width: 98, height: 138, rx: 10 }),
    h('rect', { class: 'cloth', x: 7, y: 7, width: 86, height: 126, rx: 6 }),
    h('path', {
      class: 'weave',
      d: 'M7 49l43-42 43 42M7 91l43-42 43 42M7 133l43-42 43 42M7 7l43 42L93 7M7 49l43 42 43-42M7 91l43 42 43-42',
    }),
    h('g', { class: 'mark', transform: 'translate(50 70)' }, h('circle', { r: 15 }), h('path', { d: SUITS.s })),
  );
}
