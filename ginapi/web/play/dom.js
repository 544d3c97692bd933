// What a screen is made of: `h` describes an element, `paint` makes the page be what is described. Elements that stay
// are changed in place, so that focus, selection and open dialogs outlive a new state.

const SVG = 'http://www.w3.org/2000/svg';

/** An element as a value. `props`: `on…` are handlers, `--…` are CSS variables, `key` tells siblings apart. */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: children.flat(Infinity).map(child) };
}

/** What is not there keeps its place, so that its neighbours stay who they are. */
function child(given) {
  if (given == null || given === false || given === '') return null;
  return given.tag ? given : String(given);
}

/** Make `root` hold what `children` describe. */
export function paint(root, children) {
  const focused = document.activeElement;
  reconcile(root, [children].flat(Infinity).map(child));
  // An element that had to be moved has lost the focus on its way.
  if (focused !== document.activeElement && focused?.isConnected && root.contains(focused)) focused.focus();
}

function reconcile(parent, wanted) {
  const left = new Map([...parent.childNodes].map((node) => [node.identity, node]));
  const made = [];
  wanted.forEach((child, place) => {
    if (child === null) return;
    const name = identity(child, place);
    made.push([child, name, left.get(name)]);
    left.delete(name);
  });
  for (const node of left.values()) node.remove();
  let at = parent.firstChild;
  for (const [child, name, found] of made) {
    const node = found ?? create(child, parent);
    node.identity = name;
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
    update(node, child, found === undefined);
  }
}

/** Nodes are the same where they are of one kind and have one key, or no key and one place. */
function identity(child, place) {
  if (child.tag === undefined) return `text ${place}`;
  return child.props.key === undefined ? `${child.tag} ${place}` : `${child.tag} key ${child.props.key}`;
}

function create(child, parent) {
  if (child.tag === undefined) return document.createTextNode(child);
  const within = child.tag === 'svg' ? SVG : parent.namespaceURI;
  return document.createElementNS(within, child.tag);
}

function update(node, child, isNew) {
  if (child.tag === undefined) {
    if (node.data !== child) node.data = child;
    return;
  }
  const before = node.described?.props ?? {};
  for (const name of Object.keys(before)) if (!(name in child.props)) put(node, name, undefined);
  for (const [name, value] of Object.entries(child.props)) if (before[name] !== value) put(node, name, value);
  node.described = child;
  if (child.props.leave === undefined) reconcile(node, child.children);
  if (isNew) child.props.made?.(node);
}

function put(node, name, value) {
  if (name === 'key' || name === 'made' || name === 'leave') return;
  if (name.startsWith('on')) node[name] = value ?? null;
  else if (name.startsWith('--')) node.style.setProperty(name, value ?? '');
  else if (name === 'value' || name === 'checked') node[name] = value ?? '';
  else if (value == null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? '' : value);
}
