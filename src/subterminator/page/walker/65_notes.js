// Which elements become nodes on the way in.

const KINDS = new Map(Object.entries({
  heading: 'heading', region: 'named', form: 'named', group: 'named', radiogroup: 'named', figure: 'named',
  dialog: 'box', alertdialog: 'box', alert: 'box', status: 'box', log: 'box', tooltip: 'box',
  progressbar: 'live', meter: 'live', table: 'table', grid: 'table', treegrid: 'table', row: 'row', cell: 'cell',
  gridcell: 'cell', columnheader: 'cell', rowheader: 'cell', list: 'list', listitem: 'item', img: 'img',
  iframe: 'frame', banner: 'box', navigation: 'box', main: 'box', complementary: 'box', contentinfo: 'box',
  search: 'box', article: 'box', tablist: 'box', tabpanel: 'box', menu: 'box', menubar: 'box', toolbar: 'box',
  tree: 'box',
}));
const CAPTCHA_CLASS = '.g-recaptcha,.h-captcha,.cf-turnstile';
// These are nothing if they have no box; of the others a box would tell nobody anything.
const BOXED_KINDS = wordSet('heading live frame img scroll captcha');
const BOXED_ROLES = wordSet('dialog alertdialog alert status');
const NAMED_KINDS = wordSet('heading named box img frame live');
// Text inside these is their name or value, and only what can be used by itself is noted inside them.
const LEAF_ROLES = wordSet(`button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider
  spinbutton textbox searchbox combobox doc-backlink doc-biblioref doc-glossref doc-noteref`);
// Focused by scripts to be read out, not to be used.
const READ_ROLES = wordSet(`dialog alertdialog tabpanel heading main region navigation alert status log tooltip document
  application article`);
// Elements whose own meaning can make them a node. The rest is text and boxes.
const WALKED_TAGS = new Set([...NATIVE.keys()].filter(tag => {
  const role = NATIVE.get(tag);
  return typeof role === 'function' || INTERACTIVE_ROLES.has(role) || KINDS.has(role);
}).concat('label', 'legend', 'caption', 'audio', 'video', 'object', 'embed', 'slot', 'br', 'hr', 'details'));

Object.assign(Walk.prototype, {
  note(frame, seen) {
    const { el, tag, bits } = frame;
    const marked = (bits & (A_ROLE | A_MARK)) !== 0;
    const role = frame.role = marked || frame.look.tag.walked ? this.roleIn(frame, marked) : 'generic';
    if (marked || tag === 'dialog') frame.layer |= this.overlay(frame, role);
    if (tag === 'label') this.label(frame);
    else if (tag === 'legend' || tag === 'caption') muteTitle(frame);
    if (isStrong(el, tag, role, marked)) {
      if (!frame.seen) this.hidden += 1;
      else if (this.strong(frame, role) !== null || seen === SEEN) return;
    }
    if (!frame.seen) return;
    const weak = seen === BOXLESS ? 0 : this.weakness(frame, role, marked);
    const kind = this.kindFor(frame, role);
    if (kind !== '' || weak !== 0) this.provisional(frame, role, kind, weak);
  },

  // Parts of tables and lists take their role from what is around them, which the walk already knows.
  roleIn(frame, marked) {
    const { tag, grid, up } = frame;
    if (!marked) {
      if (tag === 'td' && up.role === 'row') return grid === 'grid' || grid === 'treegrid' ? 'gridcell' : 'cell';
      if (tag === 'tr' && (up.role === 'rowgroup' || up.role === 'table')) return 'row';
      if (tag === 'li' && up.role === 'list') return 'listitem';
    }
    return roleOf(frame.el, tag, frame.bits);
  },

  overlay(frame, role) {
    if (frame.layer & (TOP | OVERLAY)) return 0;
    if (role !== 'dialog' && role !== 'alertdialog' && !isOn(frame.el, 'aria-modal')) return 0;
    return this.placesOf(frame).out ? OVERLAY : 0;
  },

  // What has a use by its nature: noted at once, since nothing inside can change that.
  strong(frame, role) {
    const { el, tag, look } = frame;
    const isField = tag === 'input' || tag === 'select';
    if (isField && this.fields.has(el)) return null;
    const box = anyBox(el, tag);
    const sightNow = this.sightOf(frame, box);
    if (sightNow === SEE_NOT) {
      this.hidden += 1;
      frame.mute = true;
      return null;
    }
    const record = this.record(frame, role, box, sightNow);
    if (isField) this.fields.set(el, record);
    record.name = (isField ? memo.names.get(el) : null) ?? nameOf(el, role, tag, look, frame.bits);
    record.flags |= INTERACTIVE;
    if (clickables.has(el) || (frame.bits & A_MARK && has(el, 'onclick'))) record.flags |= LISTENER;
    this.finish(record, frame.bits, look);
    if (frame.inline) this.onLine(record);
    const leaf = LEAF_ROLES.has(role);
    frame.mute = frame.mute || leaf || NAMED_BY_CONTENT.has(role);
    frame.only = true;
    if (leaf) frame.within = record;
    if (role === 'listbox' && tag === 'select') this.options(frame);
    return record;
  },

  sightOf(frame, box) {
    if (isTiny(box) || isClippedAway(frame.look, frame.el)) return SEE_NOT;
    return sight(box, clipFor(frame.look.position, this.placesOf(frame.up)));
  },

  // Listener, handler, tab stop (1) or pointer cursor: a use, but not a reason to hide what is inside.
  weakness(frame, role, marked) {
    const { el, tag, up } = frame;
    if (tag === 'body' || tag === 'html' || (tag === 'label' && el.control)) return 0;
    let weak = 0;
    if (frame.look.pointer && !up.look.pointer && !frame.within && !frame.aria) weak |= POINTER;
    if (clickables.has(el) || (marked && has(el, 'onclick'))) weak |= LISTENER;
    if (marked && tabStop(el) >= 0 && !READ_ROLES.has(role) && !frame.scrolls) weak |= 1;
    return weak;
  },

  kindFor(frame, role) {
    if (frame.only || frame.aria) return role === 'iframe' ? 'frame' : '';
    const kind = KINDS.get(role);
    if (kind === 'table') {
      frame.grid = isDataTable(frame.el, frame.tag, role) ? role : '';
      return frame.grid ? kind : '';
    }
    if ((kind === 'row' || kind === 'cell') && !frame.grid) return '';
    if (kind) return kind;
    if (frame.layer & TOP && !(frame.up.layer & TOP)) return 'box';
    if (frame.scrolls) return 'scroll';
    return frame.look.captcha && matches.call(frame.el, CAPTCHA_CLASS) ? 'captcha' : '';
  },

  provisional(frame, role, kind, weak) {
    const { el, tag, look } = frame;
    let box = null, sightNow = SEE_NOW;
    const boxed = BOXED_KINDS.has(kind);
    if (weak !== 0 || boxed || BOXED_ROLES.has(role)) {
      box = anyBox(el, tag);
      sightNow = this.sightOf(frame, box);
      if (sightNow === SEE_NOT) {
        if (kind === '' || boxed) return;
        weak = 0;
      }
    }
    const record = this.record(frame, role, box, sightNow);
    record.kind = kind;
    record.weak = weak;
    record.flags |= weak & ~1;
    if (weak !== 0 && frame.inline) this.onLine(record);
    if (role === 'tooltip') record.name = nameWithoutContent(el, tag, role);
    else if (NAMED_KINDS.has(kind)) record.name = nameOf(el, role, tag, look, frame.bits);
    if (kind === 'heading' || (kind === 'img' && record.name !== '')) frame.mute = frame.only = true;
    if (kind === 'list') record.items = [];
    if (kind === 'item') joinList(record);
  },

  record(frame, role, box, sightNow) {
    this.flush();
    const record = new Record(frame.el, role, '', frame.tag, frame.up.record);
    record.box = box;
    record.start = record.end = frame.start;
    record.before = this.interactives;
    record.keptBefore = this.kept;
    record.flags = frame.layer | (sightNow === SEE_OFF ? OFFSCREEN : 0) | (frame.disabled ? DISABLED : 0) |
      (frame.scrolls ? SCROLLS : 0) | (frame.el === this.focus ? FOCUSED : 0);
    frame.own = frame.record = record;
    this.push(record);
    return record;
  },

  finish(record, bits = bitsOf(record.el), look = null) {
    readStates(record, bits, look);
    record.keep = true;
    this.kept += 1;
    if (record.flags & INTERACTIVE) this.interactives += 1;
  },

  // The visible rows of a native list box can be clicked; those of a closed one are only values.
  options(frame) {
    for (const option of queryAll(frame.el, 'option')) {
      if (this.partial !== '') return;
      this.visited += 1;
      if (this.visited > this.limits.visit) this.partial = 'visits';
      if (!checkVisibility.call(option, SHOWN)) continue;
      const inner = new Frame(option, 'option', frame, lookAt(option));
      inner.start = this.visited;
      this.strong(inner, 'option');
    }
  },

  // A label's text is its control's name. Where the control is never seen, the label will stand for it.
  label(frame) {
    const control = frame.el.control;
    if (!control || !frame.seen) return;
    const tag = tagOf(control);
    const name = rememberedName(control, roleOf(control, tag), tag);
    const text = squash(textOf.call(frame.el).slice(0, MAX_DATA));
    if (text && (name.includes(text) || name === labelText(control))) frame.mute = true;
    if (frame.only || this.fields.has(control) || (tag !== 'input' && tag !== 'select')) return;
    const record = new Record(control, '', name, tag, frame.up.record);
    record.start = record.end = frame.start;
    record.flags = frame.layer | (frame.disabled ? DISABLED : 0);
    this.flush();
    this.push(record);
    this.standIns.push({ record, frame });
  },

  useStandIns() {
    for (const { record, frame } of this.standIns) {
      const { el, tag } = record;
      if (this.fields.has(el)) continue;
      const box = boxOf(frame.el);
      const sightNow = this.sightOf(frame, box);
      if (sightNow === SEE_NOT || (tag === 'input' && el.type === 'hidden')) continue;
      this.fields.set(el, record);
      record.role = roleOf(el, tag);
      record.box = box;
      record.flags |= INTERACTIVE | (sightNow === SEE_OFF ? OFFSCREEN : 0) | (el === this.focus ? FOCUSED : 0);
      this.hidden = Math.max(0, this.hidden - 1);
      this.finish(record);
    }
  },
});

function joinList(record) {
  let list = record.up;
  while (list !== null && list.kind !== 'list') list = list.kind === 'item' ? null : list.up;
  if (list !== null) list.items.push(record);
}

// The title of a group or table is its name already.
function muteTitle(frame) {
  const { record, el } = frame;
  if (record && record.el === parentOf.call(el)) frame.mute = true;
}

function isStrong(el, tag, role, marked) {
  if (INTERACTIVE_ROLES.has(role)) return tag !== 'option' || role !== 'option';
  if (tag === 'input') return el.type !== 'hidden';
  if (tag === 'audio' || tag === 'video') return has(el, 'controls');
  if (!marked) return false;
  if (role === 'scrollbar' || role === 'gridcell') return tabStop(el) >= -1;
  return isEditableRoot(el);
}

function isDataTable(el, tag, role) {
  if (tag !== 'table' || role !== 'table' || has(el, 'role')) return true;
  if (el.caption || el.tHead || queryAll(el, ':scope > tr > th, :scope > * > tr > th').length) return true;
  const rows = el.rows;
  if (rows.length < 2 || queryAll(el, 'table').length) return false;
  const width = rows[0].cells.length;
  for (let i = 1; i < rows.length && i < 10; i += 1) if (rows[i].cells.length !== width) return false;
  return width > 1;
}
