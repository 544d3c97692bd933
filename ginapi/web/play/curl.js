// The last requests as lines that can be pasted into a shell: the table teaches the API that it is played by.

import { asked } from './api.js';
import { h } from './dom.js';
import { notice, toggleCurl } from './page.js';

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a curl line; the token stays out of it. */
export function curlLine({ method, path, headers, body }) {
  const words = ['curl'];
  if (method !== 'GET') words.push('-X', method);
  words.push(quoted(location.origin + path));
  for (const [name, value] of Object.entries(headers)) {
    words.push('-H', name === 'Authorization' ? '"Authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`));
  }
  if (body) words.push('-d', quoted(withoutPassword(body)));
  return words.join(' ');
}

const withoutPassword = (body) => body.replace(/("password":)"(?:[^"\\]|\\.)*"/, '$1"…"');

async function copy(line) {
  try {
    await navigator.clipboard.writeText(line);
    notice('Copied.', 'done');
  } catch {
    notice('This browser does not let the page copy: select the line instead.');
  }
}

export function curlPanel() {
  const [last, ...earlier] = asked;
  return h(
    'section',
    { class: 'curl', 'aria-label': 'Requests', key: 'curl' },
    h(
      'div',
      { class: 'curl-head' },
      h('h2', {}, 'The last request'),
      last && h('button', { class: 'quiet', onclick: () => copy(curlLine(last)) }, 'Copy'),
      h('button', { class: 'quiet', onclick: toggleCurl }, 'Close'),
    ),
    last ? line(last) : h('p', {}, 'Nothing has been asked yet.'),
    earlier.length > 0 && h('details', {}, h('summary', {}, 'Before that'), earlier.map(line)),
  );
}

const line = (request) =>
  h(
    'p',
    { class: 'request' },
    h('code', { tabindex: 0 }, curlLine(request)),
    h('span', { class: 'answered' }, `${request.status} in ${request.took_ms} ms`),
  );
