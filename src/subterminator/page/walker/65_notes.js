// Which elements become nodes, and what is decided about them once their contents are known.

const KINDS = new Map(Object.entries({
  heading: 'heading', region: 'named', form: 'named', group: 'named', radiogroup: 'named', figure: 'named',
  dialog: 'box', alertdialog: 'box', alert: 'box', status: 'box', log: 'box', tooltip: 'box',
  progressbar: 'live', meter: 'live', table: 'table', grid: 'table', treegrid: 'table', row: 'row', cell: 'cell',
  gridcell: 'cell', columnheader: 'cell', rowheader: 'cell', list: 'list', listitem: 'item', img: 'img',
  iframe: 'frame', banner: 'box', navigation: 'box', main: 'box', complementary: 'box', contentinfo: 'box',
  search: 'box', article: 'box', tablist: 'box', tabpanel: 'box', menu: 'box', menubar: 'box', toolbar: 'box',
  tree: 'box',
}));
const BOXED = wordSet('heading named box live frame img table');
// Text inside these is their name or value, and only what can be used by itself is noted inside them.
const LEAF_ROLES = wordSet(`button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider
  spinbutton textbox searchbox combobox doc-backlink doc-biblioref doc-glossref doc-noteref`);
const UNFOCUSED_KINDS = wordSet('dialog alertdialog tabpanel heading main region navigation alert status log tooltip document application');
const CAPTCHA = /recaptcha|hcaptcha|turnstile|challenges\.cloudflare\.com|arkoselabs|funcaptcha/i;
const CAPTCHA_CLASS = '.g-recaptcha,.h-captcha,.cf-turnstile';

Object.assign(Walk.prototype, {
  note(frame, bare, marked, seen) {
    const { el, tag, up } = frame;
    const role = marked || NATIVE.has(tag) ? roleOf(el, tag) : 'generic';
    frame.layer |= this.overlay(frame, role);
    if (tag === 'label') this.label(frame);
    if (!frame.seen) return this.unseen(el, tag, role);
    if (isStrong(el, tag, role, marked)) {
      if (this.strong(frame, role) || seen !== BOXLESS) return;
    }
    const weak = seen === BOXLESS ? 0 : this.weakness(frame, role, bare, marked);
    const kind = this.kindOf(frame, role, marked);
    if (kind || weak) this.provisional(frame, role, kind, weak);
  },

  unseen(el, tag, role) {
    if (isStrong(el, tag, role, true)) this.hidden += 1;
  },

  overlay(frame, role) {
    if (frame.layer & (TOP | OVERLAY)) return 0;
    const dialog = role === 'dialog' || role === 'alertdialog' || (role !== 'generic' && isOn(frame.el, 'aria-modal'));
    if (dialog) {
      const out = frame.out || this.placesOf(frame.up).out;
      return out ? OVERLAY : 0;
    }
    return 0;
  },

  strong(frame, role) {
    const { el, tag } = frame;
    if (this.byElement.has(el)) return null;
    const style = frame.style || (frame.style = styleOf(el));
    const box = anyBox(el, tag);
    const sightNow = this.sightOf(frame, box, style);
    if (sightNow === SEE_NOT) {
      this.hidden += 1;
      return null;
    }
    const record = this.record(frame, role, '', box, sightNow);
    record.keep = true;
    record.name = nameOf(el, role, tag);
    record.flags |= INTERACTIVE;
    this.finish(record, frame);
    if (frame.inline) this.onLine().inlines.push(record);
    const leaf = LEAF_ROLES.has(role);
    frame.mute = frame.mute || leaf || role === 'treeitem';
    frame.only = true;
    if (leaf) frame.within = record;
    if (role === 'listbox' && tag === 'select') this.options(frame);
    return record;
  },

  sightOf(frame, box, style) {
    const clip = clipFor(style.position, this.placesOf(frame.up));
    if (isTiny(box) || (frame.out && isClippedAway(style))) return SEE_NOT;
    return sight(box, clip);
  },

  // Listener, handler, tab stop or pointer cursor: a use, but not a reason to hide what is inside.
  weakness(frame, role, bare, marked) {
    const { el, tag, up } = frame;
    if (tag === 'body' || tag === 'html' || (tag === 'label' && el.control)) return 0;
    let weak = 0;
    if (frame.pointer && !up.pointer && !frame.within && !frame.aria) weak |= POINTER;
    if (clickables.has(el) || (marked && has(el, 'onclick'))) weak |= LISTENER;
    if (marked && tabStop(el) >= 0 && !UNFOCUSED_KINDS.has(role) && !frame.scrolls) weak |= 1;
    return weak;
  },

  kindOf(frame, role, marked) {
    if (frame.only || frame.aria) return role === 'iframe' ? 'frame' : '';
    const kind = KINDS.get(role);
    if (kind === 'table') {
      frame.grid = isDataTable(frame.el, frame.tag, role);
      return frame.grid ? kind : '';
    }
    if ((kind === 'row' || kind === 'cell') && !frame.grid) return '';
    if (kind) return kind;
    if (frame.scrolls) return 'scroll';
    return marked && matches.call(frame.el, CAPTCHA_CLASS) ? 'captcha' : '';
  },

  provisional(frame, role, kind, weak) {
    const { el, tag } = frame;
    let box = null, sightNow = SEE_NOW;
    if (weak || BOXED.has(kind) || kind === 'scroll' || kind === 'captcha') {
      box = anyBox(el, tag);
      sightNow = this.sightOf(frame, box, frame.style || (frame.style = styleOf(el)));
      if (sightNow === SEE_NOT && (weak || kind === 'img' || kind === 'frame' || kind === 'live')) {
        weak = 0;
        if (!kind || kind === 'img' || kind === 'frame' || kind === 'live') return;
      }
    }
    const record = this.record(frame, role, kind, box, sightNow);
    record.weak = weak;
    record.flags |= weak & ~1;
    if (frame.inline && weak) this.onLine().inlines.push(record);
    if (kind === 'heading' || kind === 'named' || kind === 'box' || kind === 'img' || kind === 'frame' || kind === 'live') {
      record.name = nameOf(el, role, tag);
    }
    if (kind === 'heading') frame.mute = frame.only = true;
    if (kind === 'list') record.items = [];
    if (kind === 'item') this.joinList(record);
  },

  joinList(record) {
    let list = record.up;
    while (list && list.kind !== 'list') list = list.kind === 'item' ? null : list.up;
    if (list) list.items.push(record);
  },

  record(frame, role, kind, box, sightNow) {
    this.flush();
    const record = textRecord('', frame.up.record);
    Object.assign(record, { el: frame.el, role, tag: frame.tag, kind, box, start: frame.start, keep: false,
      index: this.records.length, last: this.records.length, before: this.interactives, keptBefore: this.kept });
    record.flags = frame.layer | (sightNow === SEE_OFF ? OFFSCREEN : 0);
    if (frame.disabled) record.flags |= DISABLED;
    if (frame.el === this.focus) record.flags |= FOCUSED;
    if (frame.scrolls) record.flags |= SCROLLS;
    frame.own = frame.record = record;
    this.records.push(record);
    this.byElement.set(frame.el, record);
    if (this.records.length >= this.limits.nodes) this.partial = 'nodes';
    return record;
  },

  finish(record) {
    readStates(record);
    record.keep = true;
    this.kept += 1;
    if (record.flags & INTERACTIVE) this.interactives += 1;
  },

  // The visible rows of a native list box can be clicked; those of a closed one are only values.
  options(frame) {
    for (const option of queryAll(frame.el, 'option')) {
      if (this.partial || !checkVisibility.call(option, SHOWN)) continue;
      const inner = newFrame(option, 'option', frame);
      inner.start = frame.start;
      inner.record = frame.own;
      this.strong(inner, 'option');
      this.visited += 1;
      if (this.visited > this.limits.visit) this.partial = 'visits';
    }
  },

  // A label stands for its control where that is not shown itself, and its text is the control's name.
  label(frame) {
    const control = frame.el.control;
    if (!control || !frame.seen) return;
    const tag = tagOf(control);
    const role = roleOf(control, tag);
    const name = nameOf(control, role, tag);
    const text = squash(textOf.call(frame.el).slice(0, MAX_DATA));
    if (text && (name.includes(text) || name === labelText(control))) frame.mute = true;
    if (this.byElement.has(control) || frame.only || this.isControlShown(control, tag)) return;
    const box = boxOf(frame.el);
    const sightNow = this.sightOf(frame, box, frame.style || (frame.style = styleOf(frame.el)));
    if (sightNow === SEE_NOT || tag === 'button') return;
    const inner = newFrame(control, tag, frame);
    inner.start = frame.start;
    const record = this.record(inner, role, '', box, sightNow);
    record.name = name;
    record.flags |= INTERACTIVE;
    this.finish(record);
  },

  isControlShown(control, tag) {
    if (look(control) !== SEEN) {
      const style = styleOf(control);
      if (style.display === 'none' || style.visibility !== 'visible') return false;
      const box = boxOf(control);
      return box.r - box.l >= 6 && box.b - box.t >= 6 && style.opacity === '0' && tag !== 'textarea' &&
        checkVisibility.call(flatParent(control), SHOWN);
    }
    return whyOut(control, styleOf(control)) === '';
  },

  judge(record, frame) {
    record.last = this.records.length - 1;
    record.end = this.visited;
    if (record.keep) return;
    if (record.weak) this.judgeWeak(record, frame);
    if (!record.keep && record.kind) this.judgeKind(record, frame);
  },

  judgeWeak(record, frame) {
    const inner = this.interactives - record.before;
    if (inner > 0 && !(record.weak & POINTER)) return;
    const own = this.ownTexts(record);
    if (inner > 0 && !own.text) return;
    if (frame.up.within && squash(own.text) === frame.up.within.name) return;
    if (inner === 0 && this.splitParts(record, frame, own)) return;
    const author = computeAuthorName(record.el, record.tag, record.role);
    const text = own.text || (frame.mute ? squash(textOf.call(record.el).slice(0, MAX_DATA)) : '');
    record.name = author || cut(text, MAX_GENERIC_NAME);
    record.flags |= INTERACTIVE;
    this.finish(record);
    if (!author && own.text.length <= MAX_GENERIC_NAME) {
      for (const text of own.records) this.drop(text);
    }
  },

  drop(record) {
    record.keep = false;
    this.kept -= 1;
  },

  // Text, headings and pictures of a record that belong to nothing usable inside it.
  ownTexts(record) {
    const texts = [], records = [];
    for (let i = record.index + 1; i < this.records.length && records.length < 100; i += 1) {
      const inner = this.records[i];
      if (!inner.keep) continue;
      if (inner.flags & INTERACTIVE) {
        i = inner.last;
      } else if (inner.kind === 'text' || inner.kind === 'heading' || inner.kind === 'img') {
        texts.push(inner.name);
        records.push(inner);
        i = Math.max(i, inner.last);
      }
    }
    return { text: texts.join(' '), records };
  },

  // One pointer parent over several like icons or labels: these are the things to click.
  splitParts(record, frame, own) {
    if (!(record.weak & POINTER) || clickables.has(record.el) || /^(tr|td|li|a)$/.test(record.tag)) return false;
    const parts = alikeParts(record.el, own.text !== '');
    if (parts.length < 2) return false;
    for (const part of own.records) this.drop(part);
    for (const part of parts) {
      const inner = newFrame(part, tagOf(part), frame);
      inner.start = frame.start;
      inner.record = record;
      const box = boxOf(part);
      const made = this.record(inner, roleOf(part), 'part', box, this.sightOf(inner, box, styleOf(part)));
      made.up = record;
      made.name = nameOf(part, made.role) || cut(squash(textOf.call(part).slice(0, MAX_DATA)), MAX_GENERIC_NAME);
      made.flags |= INTERACTIVE | POINTER;
      this.finish(made);
    }
    return true;
  },

  judgeKind(record, frame) {
    const inside = this.kept - record.keptBefore;
    const wanted = JUDGES[record.kind];
    if (wanted(record, inside, this)) this.finish(record);
  },
});

// By kind: whether a node is worth its line. `inside` is how many nodes it holds.
const JUDGES = {
  heading: record => record.name !== '',
  named: (record, inside) => record.name !== '' && inside > 0,
  box: (record, inside) => inside > 0 || (record.name !== '' && record.role !== 'status' && record.role !== 'alert'),
  live: () => true,
  img: record => record.name !== '',
  frame: record => { frameFacts(record); return true; },
  scroll: (record, inside) => inside > 0,
  captcha: (record, inside) => { fact(record).cap = true; return inside === 0; },
  table: (record, inside) => { record.name = nameOf(record.el, record.role, record.tag); return inside > 0; },
  row: (record, inside) => { record.name = computeAuthorName(record.el, record.tag, 'row'); return inside > 0; },
  cell: (record, inside, walk) => { nameCell(record, walk); return inside > 0 || record.name !== ''; },
  list: (record, inside, walk) => judgeList(record, walk),
  item: () => false,
};

function judgeList(record, walk) {
  record.name = computeAuthorName(record.el, record.tag, 'list');
  if (!record.name && walk.interactives === record.before) return false;
  for (const item of record.items) if (!item.keep) walk.finish(item);
  return record.items.length > 0 || walk.kept > record.keptBefore;
}

// A cell that holds nothing but text is its text; otherwise its parts speak for themselves.
function nameCell(record, walk) {
  const author = computeAuthorName(record.el, record.tag, 'row');
  record.name = author;
  if (author || walk.records.length - record.index > 20) return;
  const inner = walk.records.slice(record.index + 1).filter(other => other.keep);
  if (inner.length === 0 || inner.some(other => other.kind !== 'text')) return;
  record.name = cut(inner.map(other => other.name).join(' '), MAX_NAME);
  for (const text of inner) walk.drop(text);
}

// The name from attributes and host-language labels, without contents.
function computeAuthorName(el, tag, role) {
  if (!hasAttributes.call(el) && !NATIVE_NAMES[tag]) return '';
  return cut(squash(computeName(el, NAMED_BY_CONTENT.has(role) ? 'generic' : role, tag)), MAX_NAME);
}

function isStrong(el, tag, role, marked) {
  if (INTERACTIVE_ROLES.has(role)) return !(role === 'option' && tag === 'option');
  if (tag === 'input') return el.type !== 'hidden';
  if (tag === 'audio' || tag === 'video') return has(el, 'controls');
  if (!marked) return false;
  if (role === 'scrollbar' || role === 'gridcell') return tabStop(el) >= -1;
  return isEditableRoot(el);
}

function isDataTable(el, tag, role) {
  if (tag !== 'table' || role !== 'table' || has(el, 'role')) return true;
  if (el.caption || el.tHead || queryAll(el, 'th').length) return true;
  const rows = el.rows;
  if (rows.length < 2 || queryAll(el, 'table').length) return false;
  const width = rows[0].cells.length;
  for (let i = 1; i < rows.length && i < 10; i += 1) if (rows[i].cells.length !== width) return false;
  return width > 1;
}

function alikeParts(el, hasText) {
  const parts = [];
  for (let node = firstOf.call(el); node; node = nextOf.call(node)) {
    const type = typeOf.call(node);
    if (type === TEXT && squash(textData(node))) return [];
    if (type === ELEMENT) parts.push(node);
    if (parts.length > 12) return [];
  }
  const tag = parts.length && tagOf(parts[0]);
  const looks = parts.length && attr(parts[0], 'class');
  const alike = parts.every(part => tagOf(part) === tag && (!hasText || attr(part, 'class') === looks) &&
    !isEmpty(boxOf(part)) && squash(textOf.call(part).slice(0, 200)).length <= 20);
  return alike && (!hasText || parts.every(part => !firstElementOf.call(part))) ? parts : [];
}

function frameFacts(record) {
  const { el, box } = record;
  const source = (attr(el, 'src') || '').slice(0, 2000) + ' ' + (attr(el, 'title') || '').slice(0, 200);
  if (CAPTCHA.test(source)) fact(record).cap = true;
  const style = styleOf(el);
  const px = name => parseFloat(style[name]) || 0;
  const sx = (box.r - box.l) / (offsetWidthOf.call(el) || 1), sy = (box.b - box.t) / (offsetHeightOf.call(el) || 1);
  const l = box.l + (px('borderLeftWidth') + px('paddingLeft')) * sx, t = box.t + (px('borderTopWidth') + px('paddingTop')) * sy;
  const r = box.r - (px('borderRightWidth') + px('paddingRight')) * sx, b = box.b - (px('borderBottomWidth') + px('paddingBottom')) * sy;
  fact(record).cb = [l, t, r - l, b - t].map(Math.round);
  if (Math.abs(sx - 1) > 0.01 || Math.abs(sy - 1) > 0.01) fact(record).sc = [sx, sy].map(n => Math.round(n * 1000) / 1000);
}
