// The panel: what is happening, what is asked, and the tabs. It is a page of the extension's own: no page of the web
// can draw over it, press in it or speak to it. Everything that comes over the line is shown as text.

import { askOf } from './asking.js';

const $ = (id) => document.getElementById(id);
const MOST_STEPS = 50;
const MODES = {
  debugger: ['With the debugger', 'Presses and keys like yours. The browser shows a bar while it is used.'],
  content: ['With scripts in the page', 'No bar; presses and keys are made by a script.'],
};
const LIMITS = [
  [({ trusted }) => !trusted, 'Sites can tell that a script presses, and some refuse that.'],
  [({ dialogs }) => dialogs === false, 'Questions in windows of the browser itself stay with you.'],
  [({ files }) => files === false, 'Files are chosen by you.'],
  [({ downloads }) => !downloads, 'Files are saved where your browser always saves them.'],
  [({ borders }) => borders === 'after', 'A page that leaves for another site is brought back only after it has left.'],
  [({ listeners }) => listeners === false, 'It cannot see that something reacts to clicks only by a script.'],
  [({ screenshots }) => screenshots === 'visible', 'Pictures show only what is in view.'],
];

let port = null;
let state = { paired: false, connected: false, tabs: [] };
let run = null;
const asks = new Map(); // id -> what is asked, on the screen

const say = (type, data = {}) => port?.postMessage({ type, data });

// The worker sleeps when nothing happens, and wakes when it is spoken to.
function connect() {
  port = chrome.runtime.connect({ name: 'panel' });
  port.onMessage.addListener(({ type, data }) => SHOWN[type]?.(data));
  port.onDisconnect.addListener(() => { port = null; setTimeout(connect, 300); });
}

const SHOWN = {
  State(told) { state = told; showState(); },
  Run(told) {
    run = told;
    $('log').replaceChildren();
    $('end').hidden = true;
    $('now').hidden = false;
    $('goal').textContent = [told.service, told.goal].filter(Boolean).join(': ');
    showFoot();
  },
  Told({ words }) {
    const line = document.createElement('li');
    line.textContent = words;
    $('log').append(line);
    while ($('log').children.length > MOST_STEPS) $('log').firstElementChild.remove();
    line.scrollIntoView({ block: 'nearest' });
  },
  Question(asked) {
    if (asks.has(asked.id)) return;
    const ask = askOf(asked, { answer: (words, yes) => answer(asked, words, yes), look });
    asks.set(asked.id, ask);
    $('questions').append(ask.element);
    ask.begin();
    document.title = 'Your decision - SubTerminator';
  },
  Settled({ id, how }) {
    asks.get(id)?.element.remove();
    asks.delete(id);
    if (!asks.size) document.title = 'SubTerminator';
    SHOWN.Told({ words: { yes: 'You said yes.', no: 'You said no.', expired: 'Nobody answered in time: no.' }[how]
      ?? 'The question is no longer open.' });
  },
  Ended({ outcome, words, proof }) {
    run = null;
    $('end').hidden = false;
    $('end-title').textContent = `Finished: ${String(outcome).replaceAll('_', ' ')}`;
    $('end-words').textContent = words;
    $('proof').hidden = !proof;
    $('proof-place').textContent = proof ?? '';
    $('copied').textContent = '';
    showFoot();
    $('end').focus();
  },
};

function answer(asked, words, yes) {
  say('Answer', { id: asked.id, digest: asked.digest, yes, words });
}

async function look() {
  const tab = state.tabs.find((each) => each.attached) ?? state.tabs.find((each) => each.picked);
  if (!tab) return;
  await chrome.tabs.update(tab.tab, { active: true });
  await chrome.windows.update(tab.window, { focused: true });
}

// The state of the line and the tabs

function showState() {
  const { paired, connected, name, port: number, problem } = state;
  const known = name ? ` as "${name}"` : '';
  $('line').textContent = connected ? `Connected to SubTerminator${known}.`
    : paired ? `Waiting for SubTerminator at port ${number}. Start it with: subterminator serve` : 'Not paired yet.';
  $('connect').hidden = !paired || connected;
  $('pairing').hidden = paired;
  $('problem').hidden = !problem;
  if ($('problem').textContent !== problem) $('problem').textContent = problem;
  $('tabs').hidden = $('ways').hidden = !paired;
  if (paired) {
    showTabs();
    showModes();
  }
  showFoot();
}

function showFoot() {
  $('foot').hidden = !(run || state.tabs.some(({ attached, picked, own }) => attached || picked || own));
}

// Lines are kept and mended, never drawn anew: a key that is being pressed must find the box it began on.
const lines = new Map(); // tab -> its line

function showTabs() {
  const wanted = state.tabs.filter(({ url, own }) => /^https?:/.test(url) || own).map(lineOf);
  const list = $('list');
  wanted.forEach((line, at) => { if (list.children[at] !== line) list.insertBefore(line, list.children[at] ?? null); });
  for (const line of [...list.children].slice(wanted.length)) line.remove();
}

function lineOf(told) {
  if (!lines.has(told.tab)) lines.set(told.tab, newLine(told.tab));
  const { title, url, active, picked, own, attached } = told;
  const line = lines.get(told.tab);
  line.querySelector('input').checked = picked || own;
  const about = [hostOf(url), active ? 'in front' : '', own ? 'opened by SubTerminator' : ''];
  const words = [title || url || 'New tab', about.filter(Boolean).join(' · '), attached ? 'In use' : ''];
  [...line.querySelectorAll('span span')].forEach((part, at) => {
    if (part.textContent !== words[at]) part.textContent = words[at];
  });
  return line;
}

function newLine(tab) {
  const line = document.createElement('li');
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.dataset.tab = tab;
  box.addEventListener('change', () => say(box.checked ? 'Pick' : 'Unpick', { tab }));
  const words = document.createElement('span');
  for (const name of ['name', 'place', 'state']) {
    const part = document.createElement('span');
    part.className = name;
    words.append(part, ' ');
  }
  label.append(box, words);
  line.append(label);
  return line;
}

function hostOf(url) {
  try { return new URL(url).host; } catch { return ''; }
}

let modes = '';

function showModes() {
  const { hand, hands, capabilities } = state;
  const told = JSON.stringify([hand, hands, capabilities]);
  if (told === modes) return;
  modes = told;
  const group = document.createElement('fieldset');
  for (const name of hands.filter((each) => MODES[each])) {
    const label = document.createElement('label');
    const choice = document.createElement('input');
    Object.assign(choice, { type: 'radio', name: 'hand', value: name, checked: name === hand });
    choice.addEventListener('change', () => say('Mode', { hand: name }));
    const words = document.createElement('span');
    const more = document.createElement('span');
    [words.textContent, more.textContent] = MODES[name];
    more.className = 'place';
    words.append(more);
    label.append(choice, words);
    group.append(label);
  }
  group.setAttribute('aria-labelledby', 'ways-title');
  const focused = $('modes').contains(document.activeElement);
  $('modes').replaceChildren(group);
  if (focused) group.querySelector(':checked')?.focus();
  $('limits').replaceChildren(...LIMITS.filter(([holds]) => holds(capabilities)).map(([, words]) => {
    const limit = document.createElement('li');
    limit.textContent = words;
    return limit;
  }));
}

// What the person does

$('pair').addEventListener('submit', (event) => {
  event.preventDefault();
  const code = $('code').value.trim();
  if (code) say('Pair', { code });
  else $('code').focus();
});
$('connect').addEventListener('click', () => say('Connect'));
$('forget').addEventListener('click', () => say('Forget'));
$('halt').addEventListener('click', () => {
  if (run) say('Stop', { run: run.run });
  say('Halt');
});
$('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText($('proof-place').textContent);
  $('copied').textContent = 'Copied.';
});
for (const event of ['onActivated', 'onUpdated']) chrome.tabs[event].addListener(() => say('Refresh'));

connect();
