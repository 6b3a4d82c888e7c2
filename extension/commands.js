// The commands of the plain action protocol, carried out by the scripts in the page.

import * as documents from './documents.js';
import { contentHand } from './content.js';
import { mark } from './mark.js';

const WALK = { max_visit: 300000, max_nodes: 50000, max_ms: 3000 };
const REST = { quiet: 100, limit: 1500, frame: 100 };
const INTERACTIVE = 1, OFFSCREEN = 2, COVERED = 1 << 17;
const LOAD_MS = 10000;
const MOST_ELEMENTS = 300, MOST_TEXT = 15000;
const LONGEST_NAME = 200;
// name -> key, number, text
const KEYS = {
  Enter: ['Enter', 13, '\r'], Tab: ['Tab', 9, ''], Escape: ['Escape', 27, ''], Backspace: ['Backspace', 8, ''],
  Delete: ['Delete', 46, ''], Space: [' ', 32, ' '],
};

const PROBLEMS = {
  gone: () => 'ref_invalid: it is no longer in the page',
  changed: ({ role, name }) => `ref_invalid: it has changed: it is now ${role} ${JSON.stringify(name)}`,
  disabled: () => 'it is disabled',
  not_visible: ({ why }) => `it cannot be seen: ${why || 'no visible part'}`,
  obscured: ({ by }) => `it is covered by ${by}`,
  moving: () => 'it does not stop moving',
  secret: () => 'it is a field for secrets: the user fills it',
  readonly: () => 'it is read-only',
  not_a_field: () => 'it is not a text field',
  not_a_select: () => 'it is not a drop-down',
  no_option: ({ wanted }) => `it has no option ${JSON.stringify(wanted)}`,
};

function checked(answer) {
  if (!answer.problem) return answer;
  throw new Error(PROBLEMS[answer.problem]?.(answer) ?? String(answer.problem));
}

export async function placeIn(tab) {
  if (!documents.of(tab)) {
    await contentHand.attach(tab);
    mark.show(tab);
  }
  return documents.of(tab);
}

export function onChange(callback) {
  documents.onChange(callback);
}

const send = (place, method, params) => contentHand.send(place.tab, '', method, params);
const call = (frame, owner, name, ...given) => frame.line.ask('call', owner, name, given);

// Looking

/** What can be used and seen, through all frames, in the order of the page. */
export async function walk(place) {
  const main = place.frames.get(0);
  if (!main?.line) throw new Error('The page is still loading.');
  const raw = JSON.parse(await call(main, 'walker', 'walk', WALK));
  main.line.ask('watch').catch(() => {});
  const view = { x: 0, y: 0, width: raw.vw, height: raw.vh };
  const elements = await seen(place, main, raw, { x: 0, y: 0 }, view);
  return { url: documents.showsAs(raw.url), title: raw.title, elements };
}

async function seen(place, frame, { nodes }, origin, view) {
  const inner = await innerFrames(place, frame);
  const found = [];
  for (const [, role, name, node, flags = 0, tag = '', x, y, width, height] of nodes) {
    const bounds = { x: Math.round(origin.x + x), y: Math.round(origin.y + y), width, height };
    if (!node || flags & (OFFSCREEN | COVERED)) continue;
    if (inner.has(node)) found.push(...await within(place, frame, inner.get(node), node, overlap(bounds, view)));
    if (!(flags & INTERACTIVE) || !isIn(bounds, view)) continue;
    const { document, number } = frame;
    found.push({ document, frame: number, node, role, name: cut(name), full: name, tag, bounds });
  }
  return found;
}

/** The frames in a frame, by the element that holds each. */
async function innerFrames(place, frame) {
  const children = documents.childrenOf(place, frame).filter((each) => each.line);
  const held = await Promise.all(children.map(async (child) => [
    await frame.line.ask('holder', await child.line.ask('place')).catch(() => 0), child,
  ]));
  return new Map(held.filter(([node]) => node));
}

async function within(place, frame, child, holder, view) {
  try {
    let { x, y } = await call(frame, 'actor', 'fromFrame', holder, 0, 0);
    for (let up = frame; up.number; up = place.frames.get(up.parent)) {
      const owner = await ownerOf(place, up);
      ({ x, y } = await call(place.frames.get(up.parent), 'actor', 'fromFrame', owner, x, y));
    }
    return await seen(place, child, JSON.parse(await call(child, 'walker', 'walk', WALK)), { x, y }, view);
  } catch {
    return []; // It went away while it was looked at.
  }
}

async function ownerOf(place, frame) {
  return place.frames.get(frame.parent).line.ask('holder', await frame.line.ask('place'));
}

function overlap(a, b) {
  const x = Math.max(a.x, b.x), y = Math.max(a.y, b.y);
  const right = Math.min(a.x + a.width, b.x + b.width), bottom = Math.min(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

function isIn(box, view) {
  const { width, height } = overlap(box, view);
  return width > 0 && height > 0;
}

const cut = (name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

// Acting

function frameOf(place, target) {
  const frame = place.frames.get(target.frame);
  if (!frame?.line || frame.document !== target.document) throw new Error('ref_invalid: its page is gone');
  return frame;
}

async function ready(place, target, guard) {
  const frame = frameOf(place, target);
  const { x, y, width, height } = target.bounds;
  const expected = { role: target.role, name: target.full };
  const options = { expected, guard, allow_disabled: false, still: false, box: { x, y, width, height } };
  const expression = `actor.ready(${target.node},${JSON.stringify(options)})`;
  const asked = { expression, contextId: frame.context, returnByValue: true };
  const told = await send(place, 'Runtime.evaluate', asked);
  return { frame, point: checked(told.result.value) };
}

async function climb(place, frame, { x, y }) {
  let point = { x, y };
  for (let at = frame; at.number; at = place.frames.get(at.parent)) {
    const outer = place.frames.get(at.parent);
    point = checked(await call(outer, 'actor', 'through', await ownerOf(place, at), point.x, point.y));
  }
  return point;
}

async function click(place, target) {
  const { frame, point } = await ready(place, target, true);
  const stroke = { ...await climb(place, frame, point), button: 'left', clickCount: 1, modifiers: 0 };
  const mouse = (type, more) => send(place, 'Input.dispatchMouseEvent', { ...stroke, type, ...more });
  await mouse('mouseMoved', { button: 'none' });
  await mouse('mousePressed', { buttons: 1 });
  await mouse('mouseReleased', { buttons: 0 });
  const stopped = place.stray || place.slipped;
  if (stopped) throw new Error(`${stopped} came between at the press; the press was stopped`);
  await settle(place);
}

async function type(place, target, text) {
  if (typeof text !== 'string') throw new Error('invalid: `text` is missing.');
  const { frame } = await ready(place, target, false);
  const field = checked(await call(frame, 'actor', 'enter', target.node, 'all'));
  if (field.kind === 'set') checked(await call(frame, 'actor', 'setValue', target.node, text));
  else if (text) await frame.line.ask('write', text);
  else if (!field.empty) await press(place, 'Delete');
  const held = await call(frame, 'actor', 'holds', target.node, text);
  if (held.gone || held.same) return settle(place);
  throw new Error(`the field now holds ${JSON.stringify(held.value ?? 'something else')}, not what was typed`);
}

async function choose(place, target, values) {
  const { frame } = await ready(place, target, false);
  checked(await call(frame, 'actor', 'canChoose', target.node, values));
  const { value } = await call(frame, 'actor', 'choose', target.node, values);
  await settle(place);
  return { value };
}

async function press(place, name) {
  const letter = [...String(name)].length === 1 ? [name, name.toUpperCase().charCodeAt(0), name] : null;
  const [key, number, text] = KEYS[name] ?? letter ?? [];
  const known = Object.keys(KEYS).join(', ');
  if (!key) throw new Error(`invalid: there is no key ${JSON.stringify(name)}. Known: ${known}, and single letters.`);
  const stroke = { key, code: letter ? '' : name, windowsVirtualKeyCode: number, modifiers: 0 };
  place.kept = '';
  await send(place, 'Input.dispatchKeyEvent', { ...stroke, type: text ? 'keyDown' : 'rawKeyDown', text });
  await send(place, 'Input.dispatchKeyEvent', { ...stroke, type: 'keyUp' });
  if (place.kept) throw new Error(`${place.kept}: ${PROBLEMS.secret()}`);
  await settle(place);
}

async function scrollTo(place, { x, y }) {
  if (![x, y].every(Number.isFinite)) throw new Error('invalid: `x` and `y` are numbers.');
  const now = await call(place.frames.get(0), 'actor', 'scroll', 0, { direction: 'to', to: [x, y] });
  return { x: now.x, y: now.y, moved: now.moved };
}

async function navigate(place, { url }) {
  if (!/^https?:\/\//i.test(String(url))) throw new Error('invalid: only http and https addresses are opened.');
  const loaded = documents.untilLoaded(place, LOAD_MS);
  const told = await send(place, 'Page.navigate', { url });
  if (told.errorText) throw new Error(`${url} cannot be opened: ${told.errorText}`);
  if (told.loaderId) await loaded;
  return { url: documents.showsAs(place.frames.get(0).url) };
}

async function travel(place, step) {
  const loaded = documents.untilLoaded(place, LOAD_MS);
  await send(place, 'Page.navigateToHistoryEntry', { entryId: step });
  await loaded;
}

async function reload(place) {
  const loaded = documents.untilLoaded(place, LOAD_MS);
  await send(place, 'Page.reload', {});
  await loaded;
}

/** Until what was done has come to rest, in the page it led to. */
async function settle(place) {
  try {
    await call(place.frames.get(0), 'actor', 'rest', REST);
  } catch {
    await documents.untilLoaded(place, LOAD_MS);
  }
}

async function read(place, limit = MOST_TEXT) {
  const { text, total } = await call(place.frames.get(0), 'actor', 'readText', 0, limit);
  return { content: text, total };
}

const COMMANDS = {
  navigate_to: (command, { place }) => navigate(place, command),
  click_element: ({ ref }, { place, find }) => click(place, find(ref)),
  type_text: ({ ref, text }, { place, find }) => type(place, find(ref), text),
  scroll_to: (command, { place }) => scrollTo(place, command),
  select_option: ({ ref, values }, { place, find }) => choose(place, find(ref), [values].flat()),
  press_key: ({ key }, { place }) => press(place, key),
  go_back: (_, { place }) => travel(place, -1),
  go_forward: (_, { place }) => travel(place, 1),
  reload: (_, { place }) => reload(place),
  get_snapshot: (_, { look }) => look(),
  get_page_content: ({ max_length: limit }, { place }) => read(place, limit),
  async get_interactive_elements({ limit = MOST_ELEMENTS }, { look }) {
    return { elements: (await look()).tree.slice(0, limit) };
  },
};

export function run(command, means) {
  if (Object.hasOwn(COMMANDS, command.type)) return COMMANDS[command.type](command, means);
  const known = Object.keys(COMMANDS).join(', ');
  throw new Error(`invalid: there is no action ${JSON.stringify(command.type)}. Known: ${known}.`);
}
