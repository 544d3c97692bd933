// Where one is follows from the address: each place after # has a screen of its own.

import { account, recall } from './account.js';
import { invited } from './invited.js';
import { learn } from './learn.js';
import { lobby } from './lobby.js';
import { show } from './page.js';
import { replay } from './replay.js';
import { dress } from './settings.js';
import { table } from './table.js';
import { wallet } from './wallet.js';

const PLACES = { account, hand: replay, join: invited, learn, lobby, table, wallet };

function open() {
  const [, name, rest] = /^([a-z]*)=?(.*)$/.exec(decodeURIComponent(location.hash.slice(1))) ?? [];
  const place = PLACES[name] ?? lobby;
  show(place(rest));
}

addEventListener('hashchange', open);
dress();
open();
recall();
