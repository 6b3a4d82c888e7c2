// The hand over content scripts: the engine's commands where there is no debugger. Presses and keys are synthetic.
// It answers the same protocol; what it cannot do it says, and nothing is made up.

import * as documents from './documents.js';
import { capture } from './pictures.js';
import './requests.js';

const { GONE, idOf } = documents;
const CALL = /^(walker|actor)\.([A-Za-z]+)\(([\s\S]*)\)$/;
const ID_OF_THIS = 'function () { return walker.idOf(this); }';
const NEEDS = 'needs the debugger permission';
// Asked for by the engine in every tab; here there is nothing to switch on.
const QUIET = new Set([
  'Page.setLifecycleEventsEnabled', 'Page.addScriptToEvaluateOnNewDocument', 'Page.setInterceptFileChooserDialog',
  'Emulation.setFocusEmulationEnabled', 'Runtime.runIfWaitingForDebugger', 'Target.setAutoAttach', 'Log.enable',
  'Fetch.disable', 'Input.setInterceptDrags', 'DOM.enable', 'Overlay.enable', 'DOM.disable',
]);
const DEEPEST = 20;
const MOST_NODES = 20000;

let tell = () => {};
let adopted = () => {};
const nodes = new Map(); // number -> { context, node }
const numbers = new Map(); // "context:node" -> number
let lastNumber = 0;

const cannot = (what) => ({ code: -32000, message: `${NEEDS}: ${what}` });
const result = (value) => ({ result: { type: typeof value, value: value ?? null } });

export const contentHand = {
  name: 'content',
  capabilities: {
    trusted: false, flat: false, downloads: false, screenshots: 'visible', dialogs: false, files: false,
    listeners: false, borders: 'after',
  },
  blank: chrome.runtime.getURL('blank.html'),
  showsAs: documents.showsAs,

  async attach(tabId) {
    await documents.take(tabId, (...event) => tell(...event));
    const tab = await chrome.tabs.get(tabId);
    return { targetId: idOf(tabId, 0), url: documents.showsAs(tab.url), title: tab.title ?? '' };
  },

  async detach(tabId) {
    documents.giveBack(tabId);
  },

  async send(tabId, sessionId, method, params) {
    const mine = documents.of(tabId);
    if (!mine || sessionId) throw { code: -32001, message: 'Session with given id not found.' };
    if (QUIET.has(method)) return {};
    const command = COMMANDS[method];
    if (!command) throw cannot(method);
    return (await command(mine, params)) ?? {};
  },

  onEvent(callback) { tell = callback; },

  /** A tab was opened for a page: callback(tab, opener). The browser's own event does not name the opener. */
  onOpen(callback) { adopted = callback; },
};

// Calling our functions in a page

async function evaluate(mine, { expression, contextId, returnByValue }) {
  const place = documents.contextOf(contextId) ?? documents.contextOf(contextId + 1);
  if (!place || place.tab !== mine.tab) throw GONE;
  if (expression === '0') return result(0);
  if (expression === 'document') return { result: { type: 'object', objectId: `page:${contextId}` } };
  // The whole script: it came with the document.
  if (expression.startsWith('"use strict"')) return { result: { type: 'undefined' } };
  const found = CALL.exec(expression);
  if (!found) throw cannot('only functions of our own run in a page');
  const given = JSON.parse(`[${found[3]}]`);
  if (!returnByValue) return handleOf(place, contextId, given[0]);
  try {
    return result(await called(mine, contextId, place, found[1], found[2], given));
  } catch (fault) {
    if (fault.code) throw fault;
    const exception = { description: String(fault.message) };
    return { result: { type: 'object' }, exceptionDetails: { text: 'Uncaught', exception } };
  }
}

async function handleOf({ line }, context, node) {
  const there = await line.ask('has', node);
  return { result: there ? { type: 'object', objectId: `node:${context}:${node}` } : { type: 'object', value: null } };
}

async function called(mine, context, { frame, line }, owner, name, given) {
  if (name === 'walk' || name === 'rest') await lookForFrames(mine, frame, line);
  const answer = await line.ask('call', owner, name, given);
  switch (name) {
    case 'ready':
      mine.aimed = given[1].guard && !answer.problem ? { context } : null;
      Object.assign(mine, { stray: '', slipped: '' });
      return answer;
    case 'rest':
      if (mine.aimed?.context === context) Object.assign(answer, letGo(mine, answer));
      return answer;
    case 'disarm':
      return mine.aimed?.context === context ? answer || letGo(mine, {}).stopped : answer;
    case 'keepSecrets': {
      const { kept } = mine;
      if (!given[0]) mine.kept = '';
      return answer || (given[0] ? '' : kept);
    }
    default:
      return answer;
  }
}

function letGo(mine, { stopped = '', slipped = '' }) {
  const told = { stopped: stopped || mine.stray, slipped: slipped || mine.slipped };
  Object.assign(mine, { aimed: null, stray: '', slipped: '' });
  return told;
}

async function lookForFrames(mine, frame, line) {
  const known = [...mine.frames.values()].filter((each) => each.number && each.parent === frame.number).length;
  if ((await line.ask('windows')) > known) await documents.findFrames(mine);
}

// Nodes that the engine names by the browser's numbers

function numberOf(context, node) {
  const key = `${context}:${node}`;
  if (numbers.has(key)) return numbers.get(key);
  if (numbers.size >= MOST_NODES) {
    numbers.clear();
    nodes.clear();
  }
  lastNumber += 1;
  numbers.set(key, lastNumber);
  nodes.set(lastNumber, { context, node });
  return lastNumber;
}

function nodeIn(objectId) {
  const [kind, context, node] = objectId.split(':');
  if (kind !== 'node') throw cannot('objects of the page itself');
  return { context: Number(context), node: Number(node) };
}

function describeNode(mine, { objectId }) {
  const { context, node } = nodeIn(objectId);
  return { node: { backendNodeId: numberOf(context, node), shadowRoots: [] } };
}

function resolveNode(mine, { backendNodeId }) {
  const found = nodes.get(backendNodeId);
  if (!found) throw { code: -32000, message: 'No node with given id found' };
  return { object: { objectId: `node:${found.context}:${found.node}` } };
}

async function ownerOf(mine, { frameId }) {
  const child = [...mine.frames.values()].find((each) => idOf(mine.tab, each.number) === frameId);
  const parent = child && child.number ? mine.frames.get(child.parent) : null;
  if (!parent?.line || !child.line) throw { code: -32000, message: 'Frame with the given id was not found.' };
  const node = await parent.line.ask('holder', await child.line.ask('place'));
  if (!node) throw { code: -32000, message: 'Frame with the given id was not found.' };
  return { backendNodeId: numberOf(parent.context, node) };
}

function callOn(mine, { functionDeclaration, objectId }) {
  if (functionDeclaration !== ID_OF_THIS) throw cannot('only functions of our own run in a page');
  return result(nodeIn(objectId).node);
}

// Presses and keys: to the frame that they would reach, in the order they were sent

function inOrder(mine, act) {
  const done = mine.order.then(act);
  mine.order = done.catch(() => {});
  return done;
}

async function sendDown(mine, deed, given, pointed) {
  let frame = mine.frames.get(0);
  let stroke = given;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    if (!frame?.line) throw GONE;
    const told = await delivered(frame, deed, stroke);
    if (told.into === undefined) return { frame, told };
    if (pointed) stroke = { ...stroke, x: told.x, y: told.y };
    frame = await documents.childAt(mine, frame, told.into);
  }
  throw GONE;
}

/** A press that takes the document away has arrived. */
async function delivered(frame, deed, stroke) {
  try {
    return await frame.line.ask(deed, stroke);
  } catch (fault) {
    if (fault === GONE) return {};
    throw { code: -32000, message: fault.message };
  }
}

function mouse(mine, stroke) {
  return inOrder(mine, async () => {
    if (stroke.type === 'mousePressed' && mine.aimed && await leadsElsewhere(mine, stroke)) return;
    if (stroke.type === 'mouseReleased' && mine.stray) return;
    const { told } = await sendDown(mine, 'mouse', stroke, true);
    mine.stray ||= told.stray ?? '';
    mine.slipped ||= told.slipped ?? '';
    if (told.open) await openBeside(mine, told.open);
  });
}

/** Whether a press would go to another frame than the one that was checked. */
async function leadsElsewhere(mine, stroke) {
  let frame = mine.frames.get(0);
  let { x, y } = stroke;
  for (let depth = 0; depth < DEEPEST && frame?.line; depth += 1) {
    const at = await frame.line.ask('under', x, y);
    if (!at) break;
    ({ x, y } = at);
    frame = await documents.childAt(mine, frame, at.into);
  }
  if (frame?.context === mine.aimed.context) return false;
  mine.stray = 'another frame';
  return true;
}

function key(mine, stroke) {
  return inOrder(mine, async () => {
    const { told } = await sendDown(mine, 'key', stroke, false);
    mine.kept ||= told.kept ?? '';
    if (told.open) await openBeside(mine, told.open);
  });
}

function insertText(mine, { text }) {
  return inOrder(mine, async () => {
    const { told } = await sendDown(mine, 'write', text, false);
    mine.kept ||= told.kept ?? '';
  });
}

async function openBeside(mine, url) {
  const { windowId, index } = await chrome.tabs.get(mine.tab);
  const openerTabId = mine.tab;
  const made = await chrome.tabs.create({ url, openerTabId, windowId, index: index + 1, active: false });
  await adopted(made.id, mine.tab);
}

// Going somewhere

function navigate(mine, { url }) {
  const frameId = idOf(mine.tab, 0);
  return new Promise((resolve, reject) => {
    let began = false;
    const waiter = (how) => {
      if (how.began) { began = true; return; }
      // What ends before ours begins is what we interrupt.
      if (how.errorText && !began) return;
      mine.waiting.delete(waiter);
      resolve(how.within ? { frameId } : { frameId, ...how });
    };
    mine.waiting.add(waiter);
    const to = url === 'about:blank' ? contentHand.blank : url;
    chrome.tabs.update(mine.tab, { url: to }).catch((fault) => {
      mine.waiting.delete(waiter);
      reject({ code: -32000, message: fault.message });
    });
  });
}

/** Which pages lie before and after is not told to extensions: one step each way is tried. */
function history(mine) {
  const url = documents.showsAs(mine.frames.get(0)?.url);
  const entry = (id) => ({ id, url, title: '', transitionType: mine.transition || 'other' });
  return { currentIndex: 1, entries: [entry(-1), entry(0), entry(1)] };
}

/** Asked of the page: the browser's own buttons skip pages that no person has touched, and here none has. */
async function travel(mine, { entryId }) {
  const line = mine.frames.get(0)?.line;
  if (!line) throw GONE;
  if (await line.ask('travel', entryId)) return;
  throw { code: -32000, message: `There is no ${entryId < 0 ? 'earlier' : 'later'} page in this tab.` };
}

// Pictures

async function cover(mine, { objectId, selector }) {
  const { context, node } = nodeIn(objectId);
  mine.veils = { context, node, selector };
}

async function screenshot(mine, params) {
  const main = mine.frames.get(0);
  if (!main?.line) throw GONE;
  const view = await main.line.ask('view');
  const covers = mine.veils ? await main.line.ask('covers', mine.veils.node, mine.veils.selector) : [];
  return capture(mine.tab, params, view, covers);
}

function enable(domain) {
  return (mine) => { mine.on.add(domain); };
}

const COMMANDS = {
  'Page.enable': enable('Page'),
  'Network.enable': enable('Network'),
  'Runtime.enable'(mine) {
    mine.on.add('Runtime');
    for (const frame of mine.frames.values()) documents.tellContexts(mine, frame);
  },
  'Page.getFrameTree': (mine) => ({ frameTree: documents.treeOf(mine) }),
  'Page.navigate': navigate,
  'Page.reload': (mine) => chrome.tabs.reload(mine.tab),
  'Page.getNavigationHistory': history,
  'Page.navigateToHistoryEntry': travel,
  'Page.stopLoading': (mine) => mine.frames.get(0)?.line?.ask('stop'),
  'Page.bringToFront': (mine) => chrome.tabs.update(mine.tab, { active: true }).then(() => ({})),
  'Page.captureScreenshot': screenshot,
  'Runtime.evaluate': evaluate,
  'Runtime.callFunctionOn': callOn,
  'DOM.describeNode': describeNode,
  'DOM.resolveNode': resolveNode,
  'DOM.getFrameOwner': ownerOf,
  // Not told to extensions: see `capabilities.listeners`.
  'DOMDebugger.getEventListeners': () => ({ listeners: [] }),
  'Input.dispatchMouseEvent': mouse,
  'Input.dispatchKeyEvent': key,
  'Input.insertText': insertText,
  'Overlay.highlightNode': cover,
  'Overlay.disable': (mine) => { mine.veils = null; },
};
