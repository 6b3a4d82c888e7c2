// The documents of the tabs that the content hand holds: which frames there are, the line to the script in each, and
// what the browser tells of them, said in the protocol's own words.

const FILES = ['world.js', 'port.js'];
const WORLD = 'subterminator';
const REACH_MS = 5000;
const BLANK = chrome.runtime.getURL('blank.html');
export const GONE = { code: -32000, message: 'Execution context was destroyed: the document is gone.' };

const held = new Map(); // tab -> Held
const contexts = new Map(); // number -> { tab, frame, line }
const early = new Map(); // tab -> lines of empty pages of ours that no hand has taken yet
let lastContext = 0;

/** Our own empty page is told as what it stands for. */
export const showsAs = (url) => (url?.startsWith(BLANK) ? 'about:blank' : url ?? '');
export const idOf = (tab, frame) => (frame ? `tab${tab}-${frame}` : `tab${tab}`);
export const of = (tab) => held.get(tab);
export const contextOf = (number) => contexts.get(number);

/** One tab in our hand. `on` are the domains whose events were asked for. */
class Held {
  constructor(tab, tell) {
    this.tab = tab;
    this.frames = new Map(); // frame number -> { number, parent, document, url, name, context, line }
    this.on = new Set();
    this.tell = (method, params) => { if (this.on.has(method.split('.')[0])) tell(tab, '', method, params); };
    this.waiting = new Set(); // who waits for the main frame to go somewhere
    this.loaded = new Set(); // who waits until it has got there
    this.transition = '';
    this.order = Promise.resolve(); // presses and keys, one after the other
    this.aimed = null; // { context } of the last check that a press relies on
    this.stray = '';
    this.slipped = '';
    this.kept = '';
    this.veils = null;
    this.open = new Set();
    this.idle = 0;
  }
}

// Taking and giving back

const isEmpty = (url) => url === '' || url === 'about:blank' || url.startsWith(BLANK);

export async function take(tab, tell) {
  if (held.has(tab)) return held.get(tab);
  const mine = new Held(tab, tell);
  held.set(tab, mine);
  for (const frame of (await chrome.webNavigation.getAllFrames({ tabId: tab })) ?? []) {
    if (isActive(frame)) note(mine, frame);
  }
  // Of a tab that has just been made nothing is told yet.
  if (!mine.frames.has(0)) note(mine, { frameId: 0, parentFrameId: -1, documentId: '', url: '' });
  for (const line of early.get(tab) ?? []) heard(line, line.told);
  early.delete(tab);
  const url = mine.frames.get(0)?.url ?? '';
  // A new tab is on its way somewhere: that is told, and the script is put there then.
  if (!isEmpty(url)) await inject(tab, { allFrames: true });
  else if ((await chrome.tabs.get(tab)).pendingUrl?.startsWith(BLANK)) await untilReached(mine);
  return mine;
}

/** Where an empty page of ours is still coming, it would come in the way of where the tab is sent next. */
function untilReached(mine) {
  return new Promise((done) => {
    const end = () => { clearTimeout(limit); mine.loaded.delete(look); done(); };
    const look = () => { if (mine.frames.get(0).line) end(); };
    const limit = setTimeout(end, REACH_MS);
    mine.loaded.add(look);
    look();
  });
}

export function giveBack(tab) {
  const mine = held.get(tab);
  held.delete(tab);
  clearTimeout(mine?.idle);
  for (const frame of mine?.frames.values() ?? []) {
    contexts.delete(frame.context);
    frame.line?.end();
  }
}

async function inject(tab, where) {
  const target = { tabId: tab, ...where };
  try {
    await chrome.scripting.executeScript({ target, files: FILES, injectImmediately: true });
  } catch (fault) {
    if (!where.allFrames) return; // It is gone again, or of a kind that no extension may read: it stays unread.
    held.delete(tab);
    throw { code: -32000, message: `Extensions may not work in this page: ${fault.message}` };
  }
}

// Frames

const isActive = ({ documentLifecycle }) => !documentLifecycle || documentLifecycle === 'active';

function note(mine, { frameId, parentFrameId, documentId, url }) {
  const frame = {
    number: frameId, parent: parentFrameId, document: documentId, url: url ?? '', name: '', context: 0, line: null,
    isLoaded: false,
  };
  mine.frames.set(frameId, frame);
  return frame;
}

export function treeOf(mine, number = 0) {
  const frame = mine.frames.get(number);
  const children = [...mine.frames.values()].filter((each) => each.parent === number);
  return { frame: shown(mine, frame), childFrames: children.map((child) => treeOf(mine, child.number)) };
}

function shown(mine, frame) {
  const parentId = frame.number ? idOf(mine.tab, frame.parent) : undefined;
  const url = showsAs(frame.url);
  return { id: idOf(mine.tab, frame.number), parentId, loaderId: frame.document ?? '', url, name: frame.name };
}

function lose(mine, frame) {
  if (!frame.context) return;
  mine.tell('Runtime.executionContextDestroyed', { executionContextId: frame.context });
  mine.tell('Runtime.executionContextDestroyed', { executionContextId: frame.context - 1 });
  contexts.delete(frame.context);
  frame.context = 0;
  frame.line = null;
}

function forget(mine, number) {
  for (const child of [...mine.frames.values()].filter((each) => each.parent === number && each.number)) {
    forget(mine, child.number);
    mine.frames.delete(child.number);
    lose(mine, child);
  }
}

function committed(mine, details) {
  const before = mine.frames.get(details.frameId);
  if (before?.document === details.documentId) {
    before.url = details.url;
    return before;
  }
  if (before) {
    forget(mine, details.frameId);
    lose(mine, before);
  } else {
    const ids = { frameId: idOf(mine.tab, details.frameId), parentFrameId: idOf(mine.tab, details.parentFrameId) };
    mine.tell('Page.frameAttached', ids);
  }
  const frame = note(mine, { ...details, parentFrameId: before?.parent ?? details.parentFrameId });
  mine.tell('Page.frameNavigated', { frame: shown(mine, frame), type: 'Navigation' });
  return frame;
}

// Lines to the scripts in the pages

class Line {
  constructor(port) {
    this.port = port;
    this.told = null;
    this.asked = new Map();
    this.last = 0;
    this.ended = false;
  }

  ask(deed, ...given) {
    if (this.ended) return Promise.reject(GONE);
    this.last += 1;
    this.port.postMessage({ id: this.last, deed, given });
    return new Promise((resolve, reject) => this.asked.set(this.last, { resolve, reject }));
  }

  answered({ id, value, error }) {
    const waiting = this.asked.get(id);
    this.asked.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  end() {
    this.ended = true;
    this.port.disconnect();
    for (const { reject } of this.asked.values()) reject(GONE);
  }
}

chrome.runtime.onConnect.addListener((port) => {
  const { tab, id } = port.sender;
  if (port.name !== 'page' || !tab || id !== chrome.runtime.id) return;
  const line = new Line(port);
  port.onDisconnect.addListener(() => hungUp(line));
  port.onMessage.addListener((message) => {
    if (message.hello) heard(line, message.hello);
    else if (message.changed) changed(tab.id);
    else if (message.leaving) leaving(line, message.leaving);
    else line.answered(message);
  });
});

/** A script has come up in a document. */
async function heard(line, hello) {
  const { tab, frameId, documentId } = line.port.sender;
  line.told = hello;
  const mine = held.get(tab.id);
  if (!mine) {
    if (!hello.url.startsWith(BLANK)) line.end();
    else early.set(tab.id, [...(early.get(tab.id) ?? []), line]);
    return;
  }
  let frame = mine.frames.get(frameId);
  if (frame?.document !== documentId) {
    const known = frame ?? (await chrome.webNavigation.getFrame({ tabId: tab.id, frameId }));
    if (!known || line.ended) return;
    const parentFrameId = frame ? frame.parent : known.parentFrameId;
    frame = committed(mine, { frameId, parentFrameId, documentId, url: hello.url });
  }
  frame.name = hello.name;
  frame.line = line;
  lastContext += 2;
  frame.context = lastContext;
  contexts.set(frame.context, { tab: tab.id, frame, line });
  tellContexts(mine, frame);
  if (!frameId) for (const look of [...mine.loaded]) look();
}

export function tellContexts(mine, frame) {
  if (!frame.context) return;
  const frameId = idOf(mine.tab, frame.number);
  const context = (id, name, isDefault) => ({
    id, name, origin: '', uniqueId: `${frame.document}/${id}`,
    auxData: { frameId, isDefault, type: isDefault ? 'default' : 'isolated' },
  });
  mine.tell('Runtime.executionContextCreated', { context: context(frame.context - 1, '', true) });
  mine.tell('Runtime.executionContextCreated', { context: context(frame.context, WORLD, false) });
}

async function hungUp(line) {
  line.ended = true;
  for (const { reject } of line.asked.values()) reject(GONE);
  const { tab, frameId } = line.port.sender;
  const mine = held.get(tab.id);
  if (!mine) early.delete(tab.id);
  const frame = mine?.frames.get(frameId);
  if (!frame || frame.line !== line) return;
  lose(mine, frame);
  if (!frameId) return;
  // A frame that is taken out of the page says nothing else.
  const there = await chrome.webNavigation.getFrame({ tabId: tab.id, frameId });
  if (there || mine.frames.get(frameId) !== frame) return;
  forget(mine, frameId);
  mine.frames.delete(frameId);
  mine.tell('Page.frameDetached', { frameId: idOf(tab.id, frameId), reason: 'remove' });
}

function leaving(line, url) {
  const { tab, frameId } = line.port.sender;
  began(held.get(tab.id), frameId, url);
}

function began(mine, number, url) {
  mine?.tell('Page.frameStartedNavigating', {
    frameId: idOf(mine.tab, number), url, loaderId: '', navigationType: 'differentDocument',
  });
}

/** Frames that were made without going anywhere are in no event: asked for when a page has more than we know. */
export async function findFrames(mine) {
  for (const found of (await chrome.webNavigation.getAllFrames({ tabId: mine.tab })) ?? []) {
    if (!isActive(found) || mine.frames.get(found.frameId)?.document === found.documentId) continue;
    committed(mine, found);
    await inject(mine.tab, { documentIds: [found.documentId] });
  }
}

export const childrenOf = (mine, { number }) =>
  [...mine.frames.values()].filter((each) => each.number && each.parent === number);

/** The frame in `frame` whose window stands at this place. */
export async function childAt(mine, frame, place) {
  const children = childrenOf(mine, frame).filter((each) => each.line);
  const places = await Promise.all(children.map((child) => child.line.ask('place').catch(() => NaN)));
  const found = children.filter((_, index) => places[index] === place);
  return found.length === 1 ? found[0] : null;
}

// For those who show a page as it changes

let changed = () => {};
export function onChange(callback) { changed = callback; }

/** Until the main frame has another document that has loaded; at most so long. */
export function untilLoaded(mine, ms) {
  const before = mine.frames.get(0)?.document;
  return new Promise((done) => {
    const end = () => { clearTimeout(limit); mine.loaded.delete(look); done(); };
    const look = () => {
      const { document, line, isLoaded } = mine.frames.get(0) ?? {};
      if (document !== before && line && isLoaded) end();
    };
    const limit = setTimeout(end, ms);
    mine.loaded.add(look);
  });
}

// What the browser tells

function on(event, act) {
  chrome.webNavigation[event].addListener((details) => {
    const mine = held.get(details.tabId);
    if (mine && isActive(details)) act(mine, details);
  });
}

const settle = (mine, how) => { for (const waiter of [...mine.waiting]) waiter(how); };

on('onBeforeNavigate', (mine, { frameId, url }) => {
  began(mine, frameId, url);
  if (!frameId) settle(mine, { began: true });
});

on('onCommitted', (mine, details) => {
  const frame = committed(mine, details);
  if (details.frameId || !isEmpty(details.url)) inject(mine.tab, { documentIds: [details.documentId] });
  if (details.frameId) return;
  mine.transition = details.transitionType;
  settle(mine, { loaderId: frame.document });
});

function within(mine, { frameId, url }) {
  const frame = mine.frames.get(frameId);
  if (frame) frame.url = url;
  mine.tell('Page.navigatedWithinDocument', { frameId: idOf(mine.tab, frameId), url });
  if (!frameId) settle(mine, { within: true });
}
on('onHistoryStateUpdated', within);
on('onReferenceFragmentUpdated', within);

function lifecycle(mine, number, name) {
  const loaderId = mine.frames.get(number)?.document ?? '';
  mine.tell('Page.lifecycleEvent', { frameId: idOf(mine.tab, number), loaderId, name, timestamp: Date.now() / 1000 });
}

/** At the moment of its coming a document cannot always be reached yet. */
function reach(mine, { frameId, documentId }) {
  const frame = mine.frames.get(frameId);
  if (frame && !frame.line && frame.document === documentId) inject(mine.tab, { documentIds: [documentId] });
}

on('onDOMContentLoaded', (mine, details) => {
  lifecycle(mine, details.frameId, 'DOMContentLoaded');
  reach(mine, details);
});

on('onCompleted', (mine, details) => {
  const { frameId } = details;
  reach(mine, details);
  lifecycle(mine, frameId, 'load');
  mine.tell('Page.frameStoppedLoading', { frameId: idOf(mine.tab, frameId) });
  const frame = mine.frames.get(frameId);
  if (frame) frame.isLoaded = true;
  if (frameId) return;
  idleSoon(mine);
  for (const look of [...mine.loaded]) look();
  changed(mine.tab);
});

on('onErrorOccurred', (mine, { frameId, error }) => {
  mine.tell('Page.frameStoppedLoading', { frameId: idOf(mine.tab, frameId) });
  if (!frameId) settle(mine, { errorText: error });
});

/** Half a second without a request, as the protocol means it. */
export function idleSoon(mine) {
  clearTimeout(mine.idle);
  if (!mine.open.size) mine.idle = setTimeout(() => lifecycle(mine, 0, 'networkIdle'), 500);
}

chrome.tabs.onRemoved.addListener(giveBack);
