// Fields: where typing goes, what they hold, and the few kinds that no keyboard can fill.

const TEXT_INPUTS = new Set(['', 'text', 'search', 'email', 'url', 'tel', 'password', 'number']);
const SET_INPUTS = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);
const nativeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;

function kindOf(element) {
  if (element instanceof HTMLTextAreaElement) return 'text';
  if (element instanceof HTMLSelectElement) return 'select';
  if (element instanceof HTMLInputElement) {
    if (TEXT_INPUTS.has(element.type)) return 'text';
    if (SET_INPUTS.has(element.type)) return 'set';
    return element.type;
  }
  return plain(element).isContentEditable ? 'editable' : '';
}

// A wrapper with role textbox or combobox often holds the real field.
function fieldOf(element) {
  if (kindOf(element)) return element;
  const inner = [...plain(element).querySelectorAll('input, textarea, [contenteditable]')]
    .filter((field) => ['text', 'set', 'editable'].includes(kindOf(field)) && walker.isVisible(field));
  return inner.length === 1 ? inner[0] : element;
}

function valueOf(element) {
  switch (kindOf(element)) {
    case 'text': case 'set': return element.value;
    // A space at the end of a line is kept there as one that does not break.
    case 'editable': return element.innerText.replace(/\n$/, '').replaceAll('\u00a0', ' ');
    case 'select': return [...element.selectedOptions].map((option) => option.label).join(', ');
    default: return '';
  }
}

function selectAll(element) {
  if (element.select) { element.select(); return; }
  getSelection().selectAllChildren(element);
}

function caretToEnd(element) {
  if (element.isContentEditable && !element.select) {
    const selection = getSelection();
    selection.selectAllChildren(element);
    selection.collapseToEnd();
    return;
  }
  // Some input types have no selection to speak of; typing goes to their end anyway.
  try { element.setSelectionRange(element.value.length, element.value.length); } catch { element.focus(); }
}

// Put the focus where typing should go. Answers how the field wants to be filled.
function enter(id, place) {
  const target = walker.element(id);
  if (!target) return { problem: 'gone' };
  const element = fieldOf(target);
  const kind = kindOf(element);
  if ((kind === 'text' || kind === 'set') && element.readOnly) return { problem: 'readonly' };
  if (!['text', 'editable', 'set'].includes(kind)) return { problem: 'not_a_field', kind };
  element.focus({ preventScroll: true });
  if (kind !== 'set' && place === 'all') selectAll(element);
  if (kind !== 'set' && place === 'end') caretToEnd(element);
  // Asked only here: a field can become another one when it gets the focus.
  if (walker.secret(element)) return { problem: 'secret' };
  return { kind, empty: valueOf(element) === '' };
}

// Keys go to what has the focus: without it they would reach something else.
function focus(id) {
  const target = walker.element(id);
  if (!target) return { problem: 'gone' };
  const element = fieldOf(target);
  element.focus({ preventScroll: true });
  const active = rootOf(element).activeElement;
  return active && isInside(active, element) ? {} : { problem: 'no_focus' };
}

function deepActive() {
  let at = document.activeElement;
  for (;;) {
    const inner = at && walker.shadowRoot(at)?.activeElement;
    if (!inner) return at === document.body || at === document.documentElement ? null : at;
    at = inner;
  }
}

function focused() {
  const at = deepActive();
  return at ? walker.idOf(at) : 0;
}

// Keys can wander: a Tab in the text, a field that passes the focus on. While we type, none reaches a secret field.
const secrecy = { armed: false, stopped: '' };
const isWriting = ({ key }) => key === undefined || [...key].length === 1 || key === 'Backspace' || key === 'Delete';

function stopSecret(event) {
  if (!secrecy.armed || !event.isTrusted || !isWriting(event)) return;
  const at = deepActive();
  if (!at || !walker.secret(at)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  secrecy.stopped ||= describe(at);
}

for (const kind of ['keydown', 'keypress', 'beforeinput']) {
  window.addEventListener(kind, stopSecret, { capture: true, passive: false });
}

// Answers what the keys since the last call were kept from.
function keepSecrets(armed) {
  const { stopped } = secrecy;
  Object.assign(secrecy, { armed, stopped: '' });
  return stopped;
}

function announce(element) {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

function setValue(id, value) {
  const element = fieldOf(walker.element(id));
  if (walker.secret(element)) return { problem: 'secret' };
  const before = element.value;
  nativeValue.call(element, value);
  if (value && element.value === '') {
    nativeValue.call(element, before);
    return { problem: 'bad_value', type: element.type };
  }
  announce(element);
  return { value: element.value };
}

// What the field holds now, told as equal or not: the value of a secret field stays in the page.
function holds(id, value) {
  const element = walker.element(id);
  if (!element) return { gone: true };
  const field = fieldOf(element);
  const now = valueOf(field);
  const lines = (text) => text.replace(/\r\n/g, '\n');
  return { same: lines(now) === lines(value), value: walker.secret(field) ? null : now.slice(0, 2000) };
}

function matchOption(select, wanted) {
  const options = [...select.options];
  return options.find((o) => squeezed(o.label) === squeezed(wanted))
    ?? options.find((o) => o.value === wanted)
    ?? options.find((o) => folded(o.label) === folded(wanted));
}

function canChoose(id, wanted) {
  const select = walker.element(id);
  if (!select) return { problem: 'gone' };
  if (!(select instanceof HTMLSelectElement)) return { problem: 'not_a_select', kind: kindOf(select) };
  if (wanted.length > 1 && !select.multiple) return { problem: 'one_only' };
  const found = wanted.map((value) => matchOption(select, value));
  const missing = wanted.find((_, index) => !found[index]);
  const labels = () => [...select.options].slice(0, 50).map((option) => option.label);
  if (missing !== undefined) return { problem: 'no_option', wanted: missing, options: labels() };
  const off = found.find((option) => option.disabled || option.parentElement.disabled);
  if (off) return { problem: 'option_disabled', wanted: off.label };
  return {};
}

function choose(id, wanted) {
  const select = walker.element(id);
  const found = wanted.map((value) => matchOption(select, value));
  const changed = [...select.options].some((option) => option.selected !== found.includes(option));
  select.focus({ preventScroll: true });
  for (const option of select.options) option.selected = found.includes(option);
  if (changed) announce(select);
  return { value: valueOf(select), changed };
}

const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
const shownLists = () => walker.locate({ type: 'role', role: 'listbox' });

// The lists of a drop-down of the page's own making: itself, those it names or holds, and any not known as another's.
function listsOf(element, known) {
  if (walker.role(element) === 'listbox') return [element];
  const names = ['aria-controls', 'aria-owns'].map((name) => attribute(element, name) ?? '').join(' ').split(/\s+/);
  const named = names.filter(Boolean).map((name) => rootOf(element).getElementById?.(name)).filter(Boolean);
  const others = shownLists().filter((id) => !known.includes(id)).map((id) => walker.element(id));
  const held = [...element.querySelectorAll('[role=listbox]')];
  return [...new Set([...named, ...held, ...others])].filter((list) => walker.isVisible(list));
}

function optionsIn(element, known) {
  const options = listsOf(element, known).flatMap((list) => [...list.querySelectorAll('[role=option]')]);
  return [...new Set(options)].filter((option) => walker.isVisible(option));
}

function matchShown(options, wanted) {
  return options.find((option) => folded(walker.name(option)) === folded(wanted))
    ?? options.find((o) => ['data-value', 'value'].some((name) => attribute(o, name) === wanted));
}

// What such a drop-down shows now, and the option that is wanted.
function options(id, wanted, known) {
  const element = walker.element(id);
  if (!element) return { problem: 'gone' };
  const shown = optionsIn(element, known);
  const found = wanted ? matchShown(shown, wanted) : undefined;
  const flags = found ? walker.state(found).flags : 0;
  const is = (flag) => Boolean(flags & flag);
  const { DISABLED, SELECTED } = walker.flags;
  return {
    names: shown.slice(0, 50).map((option) => walker.name(option).slice(0, 80)),
    several: listsOf(element, known).some((list) => attribute(list, 'aria-multiselectable') === 'true'),
    wanted: found ? { id: walker.idOf(found), disabled: is(DISABLED), selected: is(SELECTED) } : null,
  };
}

// The file field meant by an element: itself, what its label stands for, or the only one in it.
function fileField(id) {
  const element = walker.element(id);
  if (!element) return { problem: 'gone' };
  const isFile = (node) => node instanceof HTMLInputElement && node.type === 'file';
  const label = closest(element, 'label');
  const near = isFile(element) ? [element] : [label?.control, ...element.querySelectorAll('input[type=file]')];
  const [field, other] = [...new Set(near.filter(isFile))];
  if (!field || other) return { problem: 'not_a_file_field' };
  if (field.matches(':disabled')) return { problem: 'disabled' };
  return { id: walker.idOf(field), multiple: field.multiple };
}
