// The line to the program on this computer: connects, proves, keeps alive, comes back; and the
// panel's ports. Nothing is sent or taken before both sides have proven who they are.

import * as pairing from './pairing.js';
import * as tabs from './tabs.js';
import { Order, carryOut, ready } from './relay.js';
import { hands } from './hands.js';
import { beginSeed, endSeed, onSeedMessage } from './seed.js';

const PING_MS = 20_000; // A worker without any event is ended after 30 s.
const HANDSHAKE_MS = 10_000;
const LONGEST_PAUSE_MS = 20_000;
const RELAYED = new Set(['Tabs', 'OpenTab', 'CloseTab', 'Attach', 'Detach', 'Cdp']);
const SHOWN = new Set(['Run', 'Told', 'Question', 'Settled', 'Ended']);
const MOST_SHOWN = 50;

const panels = new Set();
let line = null; // the one socket there is, from its first byte to its last
let problem = '';
let pause = 1000;
let retry = 0;
let story = []; // what the panel shows of the current run

// Connecting

/** Connect where we are paired; nothing happens where we are not, or are connected. */
export async function connect() {
  if (line) return;
  const kept = await pairing.readPairing();
  if (kept && !line) begin({ ...kept, kind: 'paired', key: await pairing.keyOfToken(kept.token) });
}

/** Pair by the code that the program shows. */
export async function pair(code) {
  const found = pairing.parseCode(code);
  if (!found) return fail('This is not a pairing code. It looks like 49152-ABCD-EFGH-JKMN-PQRS.');
  line?.end('');
  fail('');
  const key = await pairing.keyOfCode(found.secret, found.port);
  begin({ port: found.port, kind: 'code', key });
}

export async function forget() {
  await pairing.forgetPairing();
  await tabs.letGo();
  line?.end('');
  fail('');
}

function fail(words) {
  problem = words;
  show();
}

function begin(terms) {
  clearTimeout(retry);
  line = new Talk(terms);
  show();
}

function comeBack() {
  clearTimeout(retry);
  retry = setTimeout(connect, pause);
  pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
}

class Talk {
  constructor({ port, kind, key }) {
    Object.assign(this, { port, kind, key, name: '', order: null, seq: 0 });
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/extension`);
    this.socket.onopen = () => this.greet();
    // One after the other: a handshake may not be overtaken by what follows it.
    let before = Promise.resolve();
    this.socket.onmessage = ({ data }) => {
      if (this.order) this.take(data);
      else before = before.then(() => (this.order ? this.take(data) : this.shake(data)));
    };
    this.socket.onclose = () => this.end(this.order ? '' : 'SubTerminator is not running, or does not know this browser.');
    this.patience = setTimeout(() => this.order || this.end('What answers there is not SubTerminator.'), HANDSHAKE_MS);
  }

  async greet() {
    await tabs.ready(); // Which hand there is, is told here.
    this.mine = pairing.newNonce();
    this.browser = await pairing.describeBrowser();
    // Who we are is told to nobody who has not proven themselves: this number says nothing.
    this.send({ type: 'Hello', data: { nonce: this.mine, browser: { id: this.browser.id }, kind: this.kind } });
  }

  async shake(data) {
    const { type, data: given } = parse(data) ?? {};
    if (type === 'Challenge' && !this.talk) {
      const talk = { mine: this.mine, theirs: String(given?.nonce), port: this.port, kind: this.kind, browser: this.browser.id };
      if (!(await pairing.holds(this.key, talk, given?.proof))) {
        return this.end(this.kind === 'code'
          ? 'The code is wrong, or what answers is not SubTerminator. Nothing was sent to it.'
          : 'What answers at this port is not the program you paired with. Nothing was sent to it.');
      }
      this.talk = talk;
      return this.send({ type: 'Proof', data: {
        proof: await pairing.prove(this.key, talk), browser: this.browser,
        extension: chrome.runtime.getManifest().version,
        hand: tabs.hand().name, capabilities: tabs.hand().capabilities,
      } });
    }
    if (type === 'Welcome' && this.talk) return this.welcome(given);
    if (type === 'Refused' && this.talk === undefined) {
      return this.end(`${this.kind === 'code' ? 'The code is wrong, used or too old.' : 'SubTerminator does not know this browser.'} Pair again.`);
    }
    this.end('What answers there does not speak our protocol.');
  }

  async welcome({ epoch, token, name, most_bytes: most }) {
    this.most = most || Infinity;
    this.plain = most === undefined; // It speaks the plain action protocol and nothing else.
    clearTimeout(this.patience);
    this.name = String(name ?? '');
    if (this.kind === 'code') await pairing.keepPairing({ port: this.port, token, name: this.name });
    await ready();
    problem = '';
    pause = 1000;
    story = [];
    this.order = new Order(epoch);
    this.ping = setInterval(() => this.send({ type: 'Ping' }), PING_MS);
    tell('TabsChanged', {});
    if (this.plain) beginSeed(means(this, {}));
    show();
  }

  take(data) {
    const message = parse(data);
    if (!message || message.type === 'Pong') return;
    if (RELAYED.has(message.type)) this.relay(message);
    else if (SHOWN.has(message.type)) remember(message);
    else if (message.type === 'Bye') this.end(String(message.data?.words ?? ''));
    else seed(this, message);
  }

  relay(message) {
    const reply = message.id;
    try {
      this.order.check(message);
    } catch (fault) {
      return this.send({ reply, error: { code: fault.code, message: fault.message } });
    }
    carryOut(message).then(
      (data) => this.send({ reply, data }),
      (fault) => this.send({ reply, error: { code: fault.code ?? -32000, message: String(fault.message ?? fault) } }),
    );
  }

  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.order) message.seq = this.seq += 1;
    let words = JSON.stringify(message);
    // A letter may take four bytes; what is certainly small enough is not counted.
    if (words.length * 3 > this.most && new Blob([words]).size > this.most) {
      if (message.reply === undefined) return;
      words = JSON.stringify({ reply: message.reply, seq: message.seq, error: { code: -32000, message: 'The answer is too large.' } });
    }
    this.socket.send(words);
  }

  end(words) {
    if (line !== this) return;
    line = null;
    clearTimeout(this.patience);
    clearInterval(this.ping);
    endSeed();
    this.socket.onclose = this.socket.onmessage = null;
    this.socket.close();
    if (this.order) tabs.detachAll('disconnected'); // Nobody is there who could still want anything.
    if (words) problem = words;
    badge('');
    show();
    comeBack();
  }
}

function parse(data) {
  try {
    const message = JSON.parse(data);
    return message && typeof message === 'object' ? message : null;
  } catch {
    return null;
  }
}

function tell(type, data) {
  if (line?.order) line.send({ type, data });
}

function seed(talk, message) {
  onSeedMessage(message, means(talk, message));
}

function means(talk, { id }) {
  return {
    reply: (data) => talk.send({ type: 'ActionResult', ...(id === undefined ? {} : { reply: id }), data }),
    push: tell,
    hand: tabs.hand(),
    currentTab: () => tabs.openTabs().at(-1),
    openTabs: tabs.openTabs,
  };
}

// Stopping

/** One click: no tab is ours any more, and the program is told. */
export async function halt() {
  tell('Stop', { run: '' });
  await tabs.letGo();
}

// The panel

export function panelPort(port) {
  if (port.name !== 'panel') return; // The scripts in pages have lines of their own.
  const from = String(port.sender?.url ?? '').replace(/[?#].*/, '');
  if (port.sender?.id !== chrome.runtime.id || from !== chrome.runtime.getURL('panel.html')) {
    port.disconnect();
    return;
  }
  panels.add(port);
  port.onDisconnect.addListener(() => panels.delete(port));
  port.onMessage.addListener(fromPanel);
  show();
  for (const message of story) port.postMessage(message);
}

function fromPanel({ type, data = {} }) {
  switch (type) {
    case 'Pair': return pair(data.code);
    case 'Forget': return forget();
    case 'Connect': pause = 1000; return connect();
    case 'Refresh': return show();
    case 'Pick': return tabs.pick(data.tab).then(() => line?.plain && beginSeed(means(line, {})));
    case 'Unpick': return tabs.unpick(data.tab);
    case 'Mode': return tabs.wishHand(data.hand).then(show);
    case 'Answer': return tell('Answer', data);
    case 'Stop': return tell('Stop', { run: String(data.run ?? '') });
    case 'Halt': return halt();
  }
}

function remember(message) {
  const { type, data = {} } = message;
  if (type === 'Run') story = [];
  if (type === 'Settled') story = story.filter((each) => each.type !== 'Question' || each.data.id !== data.id);
  else story.push({ type, data });
  const told = story.filter((each) => each.type === 'Told');
  if (told.length > MOST_SHOWN) story.splice(story.indexOf(told[0]), 1);
  badge(story.some((each) => each.type === 'Question') ? '?' : '');
  for (const port of panels) port.postMessage({ type, data });
}

function badge(words) {
  chrome.action.setBadgeText({ text: words });
  // A tab in use has a mark of its own there; a question goes before it.
  for (const tab of tabs.attachedTabs()) chrome.action.setBadgeText({ tabId: tab, text: words || 'ON' }).catch(() => {});
}

async function show() {
  if (!panels.size) return;
  const kept = await pairing.readPairing();
  const all = await tabs.listAll();
  const hand = tabs.hand();
  const data = {
    paired: Boolean(kept), connected: Boolean(line?.order), name: line?.name || kept?.name || '',
    port: line?.port ?? kept?.port ?? 0, problem, hand: hand.name, hands: Object.keys(hands),
    capabilities: hand.capabilities, tabs: all,
  };
  for (const port of panels) port.postMessage({ type: 'State', data });
}

tabs.onTabs(tell, show);
