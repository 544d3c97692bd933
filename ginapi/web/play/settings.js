// How it looks and is played on this device.

import { set, settings } from './device.js';
import { h } from './dom.js';
import { render } from './page.js';

const CHOICES = [
  [
    'theme',
    'Theme',
    [
      ['auto', 'As the device'],
      ['dark', 'Dark'],
      ['light', 'Light'],
    ],
  ],
  [
    'suits',
    'Suits',
    [
      ['two', 'Two colours'],
      ['four', 'Four colours'],
    ],
  ],
  [
    'keys',
    'Single keys',
    [
      [true, 'On'],
      [false, 'Off'],
    ],
  ],
];
const KEYS = [
  ['S', 'draw from the stock'],
  ['P', 'take from the pile'],
  ['O', 'pass on a card that is offered'],
  ['← →', 'go through your hand'],
  ['Enter', 'choose a card, and again to discard it'],
  ['K', 'knock, or go gin'],
  ['H', 'a hint, at practice'],
  ['N', 'next hand'],
];

/** Put the settings where the style sheets look for them. */
export function dress() {
  Object.assign(document.documentElement.dataset, { theme: settings().theme, suits: settings().suits });
}

function choose(name, value) {
  set({ [name]: value });
  dress();
  render();
}

export function settingsDialog() {
  return h(
    'dialog',
    { id: 'settings', 'aria-labelledby': 'settings-title', key: 'settings' },
    h('h2', { id: 'settings-title' }, 'Settings'),
    CHOICES.map(([name, title, options]) => choice(name, title, options)),
    h(
      'dl',
      { class: 'keys' },
      KEYS.map(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)]),
    ),
    h('form', { method: 'dialog' }, h('button', { class: 'primary' }, 'Done')),
  );
}

/** One of several, as large buttons. */
export function choice(name, title, options, chosen = settings()[name], onchoose = (value) => choose(name, value)) {
  return h(
    'fieldset',
    { class: 'choice', key: name },
    h('legend', {}, title),
    h(
      'div',
      { class: 'options' },
      options.map(([value, text]) =>
        h(
          'label',
          { class: 'option', key: String(value) },
          h('input', {
            type: 'radio',
            name,
            value: String(value),
            checked: chosen === value,
            onchange: () => onchoose(value),
          }),
          h('span', {}, text),
        ),
      ),
    ),
  );
}
