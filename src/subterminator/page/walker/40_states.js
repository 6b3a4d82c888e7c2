// States as bits (types.py has the same table) and values.

const INTERACTIVE = 1, OFFSCREEN = 2, DISABLED = 4, READONLY = 8, CHECKABLE = 16, CHECKED = 32, MIXED = 64,
  EXPANDABLE = 128, EXPANDED = 256, FOCUSED = 512, BUSY = 1024, REQUIRED = 2048, INVALID = 4096, SELECTED = 8192,
  SECRET = 16384, TOP = 32768, OVERLAY = 65536, COVERED = 131072, POINTER = 262144, LISTENER = 524288,
  EDITABLE = 1048576, SUBMITS = 2097152, NEWTAB = 4194304, SCROLLS = 8388608, DRAGGABLE = 16777216, MULTI = 33554432,
  INLINE = 67108864;

const MAX_VALUE = 2000, MAX_ADDRESS = 500, MAX_OPTIONS = 100, MAX_FACT = 200;

const CHECKABLE_ROLES = wordSet('checkbox radio switch menuitemcheckbox menuitemradio');
const BUTTON_TYPES = wordSet('button submit reset image');
const UNTYPED = wordSet('checkbox radio range color file hidden button submit reset image');
const TRISTATE = { true: CHECKED, mixed: MIXED };
const EXPANSION = { true: EXPANDABLE | EXPANDED, false: EXPANDABLE };

// What an attribute says, by its name. Most elements have two or three attributes and there are two dozen that
// matter, so looking at those that are there is cheaper than asking for each.
const ATTRIBUTES = {
  'aria-expanded': (n, el, v) => { if (v in EXPANSION) n.flags |= EXPANSION[v]; },
  'aria-checked': (n, el, v) => { if (tagOf(el) !== 'input') n.flags |= CHECKABLE | (TRISTATE[v] || 0); },
  'aria-pressed': (n, el, v) => { if (n.role === 'button') n.flags |= CHECKABLE | (TRISTATE[v] || 0); },
  'aria-selected': (n, el, v) => { if (v === 'true') n.flags |= SELECTED; },
  'aria-disabled': (n, el, v) => { if (v === 'true') n.flags |= DISABLED; },
  'aria-busy': (n, el, v) => { if (v === 'true') n.flags |= BUSY; },
  'aria-required': (n, el, v) => { if (v === 'true') n.flags |= REQUIRED; },
  'aria-readonly': (n, el, v) => { if (v === 'true') n.flags |= READONLY; },
  'aria-invalid': (n, el, v) => { if (v !== 'false' && v !== '') n.flags |= INVALID; },
  'aria-multiselectable': (n, el, v) => { if (v === 'true') n.flags |= MULTI; },
  'aria-current': (n, el, v) => { if (v && v !== 'false') fact(n).cur = cut(v, 20); },
  'aria-haspopup': (n, el, v) => { if (v && v !== 'false') fact(n).pop = v === 'true' ? 'menu' : cut(v, 20); },
  'aria-sort': (n, el, v) => { if (v !== 'none') fact(n).sort = cut(v, 20); },
  'aria-level': (n, el, v) => { if (/^\d{1,3}$/.test(v)) fact(n).l = Number(v); },
  'aria-colindex': (n, el, v) => { if (/^\d{1,9}$/.test(v)) fact(n).col = Number(v); },
  'aria-rowindex': (n, el, v) => { if (/^\d{1,9}$/.test(v)) fact(n).row = Number(v); },
  'data-testid': (n, el, v) => { fact(n).ti = cut(v, MAX_FACT); },
  draggable: (n, el, v) => { if (v === 'true') n.flags |= DRAGGABLE; },
  minlength: (n, el) => { if (el.minLength > 0) fact(n).mn = el.minLength; },
  maxlength: (n, el) => { if (el.maxLength >= 0) fact(n).mx = el.maxLength; },
  min: (n, el, v) => bound(n, el, 'min', v),
  max: (n, el, v) => bound(n, el, 'max', v),
  step: (n, el, v) => bound(n, el, 'step', v),
  pattern: (n, el, v) => { if (tagOf(el) === 'input') fact(n).pt = cut(v, MAX_FACT); },
  placeholder: (n, el, v) => { if (v && isField(el)) fact(n).p = cut(squash(v.slice(0, MAX_VALUE)), MAX_FACT); },
  title: (n, el) => describe(n, el),
  'aria-describedby': (n, el) => describe(n, el),
  'aria-description': (n, el) => describe(n, el),
};
const READERS = new Map(Object.entries(ATTRIBUTES));

const fact = n => n.extra || (n.extra = {});
const isField = el => el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
const bound = (n, el, key, value) => { if (value && el instanceof HTMLInputElement) fact(n)[key] = cut(value, 30); };
const describe = (n, el) => { const text = descriptionOf(el, n.name); if (text) fact(n).d = text; };

// Adds flags and facts to a record.
function readStates(n, bits, look) {
  const { el, tag } = n;
  if (bits & A_STATE) {
    for (const name of getAttributeNames.call(el)) {
      const read = READERS.get(name);
      if (read) read(n, el, attr(el, name));
    }
  }
  if (n.role === 'heading' && !(n.extra && n.extra.l)) fact(n).l = /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
  const readTag = TAG_STATES[tag];
  if (readTag) readTag(n, el, look);
  if (CHECKABLE_ROLES.has(n.role)) n.flags |= CHECKABLE;
  if (tag !== 'input' && tag !== 'select' && tag !== 'textarea') readAriaValue(n, el, tag, look);
}

const TAG_STATES = {
  a: (n, el) => readLink(n, el), area: (n, el) => readLink(n, el),
  button: (n, el) => readButton(n, el), input: (n, el, look) => readInput(n, el, look),
  select: (n, el) => readSelect(n, el),
  textarea: (n, el, look) => readText(n, el, look, 'textarea'),
  summary: (n, el) => { if (isSummary(el)) n.flags |= EXPANSION[parentOf.call(el).open]; },
  option: (n, el) => { if (el.selected) n.flags |= SELECTED; if (el.disabled) n.flags |= DISABLED; },
  progress: (n, el) => { if (el.position >= 0) fact(n).v = String(el.value); },
  meter: (n, el) => { fact(n).v = String(el.value); },
};

function readLink(n, el) {
  const href = linkTarget(el);
  if (href) fact(n).u = cut(href, MAX_ADDRESS);
  if (opensTab(attr(el, 'target'))) n.flags |= NEWTAB;
}

// The browser's own resolving costs as much as a box; most addresses are whole or start at the root.
const WHOLE = /^https?:\/\/[a-z0-9.-]+(:\d+)?\/[\w/?=&%+,;:@!~#-]*$/;
const ROOTED = /^\/(?!\/)[\w/?=&%+,;:@!~#-]*$/;

function linkTarget(el) {
  const written = attr(el, 'href');
  if (written !== null && WHOLE.test(written)) return written;
  if (written !== null && memo.origin !== '' && ROOTED.test(written)) return memo.origin + written;
  const href = el.href;
  return typeof href === 'string' ? href : (href && href.baseVal) || '';
}

const opensTab = target => target !== null && target !== '' && !/^_(self|parent|top)$/i.test(target);

function readButton(n, el) {
  if (matches.call(el, ':disabled')) n.flags |= DISABLED;
  const type = el.type;
  const form = el.form;
  if (type !== 'button' && (form || type === 'reset')) fact(n).ty = type;
  if (form && (type === 'submit' || type === 'image')) {
    n.flags |= SUBMITS;
    if (opensTab(attr(el, 'formtarget') ?? attr(form, 'target'))) n.flags |= NEWTAB;
  }
}

function readInput(n, el, look) {
  const type = el.type;
  if (BUTTON_TYPES.has(type)) return readButton(n, el);
  readField(n, el);
  if (!UNTYPED.has(type)) return readText(n, el, look, type);
  if (type === 'checkbox' || type === 'radio') {
    n.flags |= CHECKABLE | (el.indeterminate ? MIXED : el.checked ? CHECKED : 0);
  } else if (type === 'file') {
    fact(n).ty = type;
    const files = Array.from(el.files || []).slice(0, 20).map(file => file.name).join(', ');
    if (files) fact(n).v = cut(files, MAX_VALUE);
    if (el.multiple) n.flags |= MULTI;
  } else {
    fact(n).v = cut(el.value, MAX_VALUE);
  }
}

function readField(n, el) {
  if (el.required) n.flags |= REQUIRED;
  if (!matches.call(el, ':disabled,:user-invalid')) return;
  n.flags |= matches.call(el, ':disabled') ? DISABLED : INVALID;
}

function readText(n, el, look, type) {
  if (type === 'textarea') readField(n, el);
  else if (type !== 'text') fact(n).ty = type;
  if (el.readOnly) n.flags |= READONLY;
  n.flags |= EDITABLE;
  const value = el.value;
  const kind = secretKind(el, n.name, look, value !== '');
  if (kind) {
    hide(n, kind);
  } else if (value !== '') {
    fact(n).v = cut(value, MAX_VALUE);
  }
  if (type !== 'textarea' && el.list) listOptions(n, Array.from(el.list.options));
}

function hide(n, kind) {
  n.flags |= SECRET;
  fact(n).k = kind;
  delete n.extra.v;
}

function readSelect(n, el) {
  readField(n, el);
  if (el.multiple) n.flags |= MULTI;
  fact(n).v = cut(selectedLabels(el).join(', '), MAX_VALUE);
  if (!isListbox(el)) listOptions(n, el.options);
}

function listOptions(n, options) {
  const labels = [];
  const count = options.length;
  for (let i = 0; i < count && i < MAX_OPTIONS; i += 1) {
    labels.push(cut(optionLabel(options[i]) || options[i].value, MAX_FACT));
  }
  fact(n).o = labels;
  fact(n).on = count;
}

const ARIA_VALUE_ROLES = wordSet('slider spinbutton scrollbar progressbar meter separator');
const ARIA_TEXT_ROLES = wordSet('textbox searchbox combobox');

function readAriaValue(n, el, tag, look) {
  if (ARIA_VALUE_ROLES.has(n.role)) {
    const value = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
    if (value !== null) fact(n).v = cut(value, MAX_FACT);
  } else if (ARIA_TEXT_ROLES.has(n.role)) {
    const editable = el.isContentEditable === true;
    if (editable) n.flags |= EDITABLE;
    const kind = editable ? secretKind(el, n.name, look, true) : '';
    if (kind) {
      hide(n, kind);
    } else if (n.role !== 'combobox' || editable || !firstElementOf.call(el) || tag === 'button') {
      const value = squash(textOf.call(el).slice(0, MAX_VALUE * 2));
      if (value && value !== n.name) fact(n).v = cut(value, MAX_VALUE);
    }
  }
}
