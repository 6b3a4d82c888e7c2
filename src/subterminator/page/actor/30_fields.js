// Fields: where typing goes, what they hold, and the few kinds that no keyboard can fill.

const TEXT_INPUTS = new Set(['', 'text', 'search', 'email', 'url', 'tel', 'password', 'number']);
const SET_INPUTS = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);
const nativeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
const ownerOf = (element) => element.ownerDocument;

function kindOf(element) {
  if (element instanceof HTMLTextAreaElement) return 'text';
  if (element instanceof HTMLSelectElement) return 'select';
  if (element instanceof HTMLInputElement) {
    if (TEXT_INPUTS.has(element.type)) return 'text';
    if (SET_INPUTS.has(element.type)) return 'set';
    return element.type;
  }
  return element.isContentEditable ? 'editable' : '';
}

// A wrapper with role textbox or combobox often holds the real field.
function fieldOf(element) {
  if (kindOf(element)) return element;
  const inner = [...element.querySelectorAll('input, textarea, [contenteditable]')]
    .filter((field) => ['text', 'set', 'editable'].includes(kindOf(field)) && walker.isVisible(field));
  return inner.length === 1 ? inner[0] : element;
}

function valueOf(element) {
  switch (kindOf(element)) {
    case 'text': case 'set': return element.value;
    case 'editable': return element.innerText.replace(/\n$/, '');
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
  const element = fieldOf(walker.element(id));
  const kind = kindOf(element);
  if (kind === 'text' && element.readOnly) return { problem: 'readonly' };
  if (!['text', 'editable', 'set'].includes(kind)) return { problem: 'not_a_field', kind };
  element.focus({ preventScroll: true });
  if (kind !== 'set' && place === 'all') selectAll(element);
  if (kind !== 'set' && place === 'end') caretToEnd(element);
  return { kind, empty: valueOf(element) === '', secret: Boolean(walker.describe(walker.idOf(element)).extra?.k) };
}

const focus = (id) => walker.element(id)?.focus({ preventScroll: true });

function announce(element) {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

function setValue(id, value) {
  const element = fieldOf(walker.element(id));
  nativeValue.call(element, value);
  if (value && element.value === '') return { problem: 'bad_value', type: element.type };
  announce(element);
  return { value: element.value };
}

// What the field holds now, told as equal or not: the value of a secret field stays in the page.
function holds(id, value) {
  const element = walker.element(id);
  if (!element) return { gone: true };
  const field = fieldOf(element);
  const now = valueOf(field);
  const secret = Boolean(walker.describe(walker.idOf(field)).extra?.k);
  return { same: now.replace(/\r\n/g, '\n') === value.replace(/\r\n/g, '\n'), value: secret ? null : now.slice(0, 2000) };
}

function matchOption(select, wanted) {
  const options = [...select.options];
  const squeeze = (text) => text.replace(/\s+/g, ' ').trim();
  const plain = (text) => squeeze(text).toLowerCase();
  return options.find((o) => squeeze(o.label) === squeeze(wanted))
    ?? options.find((o) => o.value === wanted)
    ?? options.find((o) => plain(o.label) === plain(wanted));
}

function choose(id, wanted) {
  const select = walker.element(id);
  if (!(select instanceof HTMLSelectElement)) return { problem: 'not_a_select', kind: kindOf(select) };
  if (wanted.length > 1 && !select.multiple) return { problem: 'one_only' };
  const found = wanted.map((value) => matchOption(select, value));
  const missing = wanted.find((_, index) => !found[index]);
  const labels = () => [...select.options].slice(0, 50).map((option) => option.label);
  if (missing !== undefined) return { problem: 'no_option', wanted: missing, options: labels() };
  const off = found.find((option) => option.disabled || option.parentElement.disabled);
  if (off) return { problem: 'option_disabled', wanted: off.label };
  select.focus({ preventScroll: true });
  for (const option of select.options) option.selected = found.includes(option);
  announce(select);
  return { value: valueOf(select) };
}

function isChecked(id) {
  const element = walker.element(id);
  if (!element) return { gone: true };
  const { flags } = walker.describe(id);
  return { checkable: Boolean(flags & 16), checked: Boolean(flags & 32) };
}
