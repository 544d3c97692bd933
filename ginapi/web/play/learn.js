// The house rules as the service publishes them, and what players ask.

import { houseRules } from './house.js';
import { h } from './dom.js';
import { attempt, render } from './page.js';

const PARTS = [
  ['The hand', 1, 14],
  ['The match', 15, 16],
  ['The clock', 17, 23],
  ['Tables and coins', 24, 99],
];

export function learn() {
  let rules = null;
  attempt(async () => {
    rules = await houseRules();
  });
  return { title: 'Learn', place: 'learn', view: () => view(rules), whose: () => null };
}

function view(rules) {
  return h(
    'div',
    { class: 'sheet' },
    h('h1', { tabindex: -1 }, 'How to play'),
    h(
      'p',
      { class: 'lead' },
      'Gather your ten cards into sets and runs. Knock when what is left over counts 10 or less; ',
      'go gin with nothing left.',
    ),
    rules ? [practised(rules), PARTS.map((part) => chapter(rules, part))] : h('p', {}, 'Fetching the rules…'),
  );
}

function practised(rules) {
  return h(
    'section',
    {},
    h('h2', {}, 'Common questions'),
    rules.questions.map(({ question, answer }) =>
      h('details', { key: question }, h('summary', {}, question), h('p', {}, answer)),
    ),
  );
}

function chapter({ rules }, [title, from, to]) {
  const within = rules.filter(({ id }) => parseInt(id.slice(1), 10) >= from && parseInt(id.slice(1), 10) <= to);
  return h(
    'section',
    { key: title },
    h('h2', {}, title),
    h(
      'dl',
      { class: 'rules' },
      within.map((rule, place) => [
        h(
          'dt',
          { key: `${place} id` },
          rule.id === within[place - 1]?.id ? h('span', { class: 'unseen' }, rule.id) : rule.id,
        ),
        h('dd', { key: `${place} text` }, rule.text, rule.reading && h('span', { class: 'tag' }, 'our reading')),
      ]),
    ),
  );
}
