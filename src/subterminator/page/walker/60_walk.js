// One pass over the flat tree. Iterative: a page may be nested deeper than the stack. What an element is worth is
// often known only after its contents (a list matters if something in it can be clicked), so nodes are noted on the
// way in, judged on the way out, and given their depth at the end.

const MARKS = `[role],[tabindex],[onclick],[aria-hidden],[aria-disabled],[inert],[contenteditable],[popover],
  .g-recaptcha,.h-captcha,.cf-turnstile`.replace(/\s+/g, '');
const COUNTED = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],' +
  '[role=checkbox],[role=tab],[role=menuitem],[contenteditable=true]';
const INLINE_LEVEL = wordSet(`${[...INLINE_TAGS].join(' ')} img button input select textarea svg picture canvas
  audio video iframe object meter progress`);
const CLOSED_TAGS = wordSet('input textarea select iframe frame video audio canvas img progress meter embed hr br wbr');
const HOST_TAGS = wordSet('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');
const MAX_HOSTS = 200, MAX_RUN = 2000, MAX_GENERIC_NAME = 120, MAX_TWINS = 2;

class Walk {
  constructor({ max_visit = 300000, max_nodes = 50000, max_ms = 3000 } = {}) {
    freshMemo();
    this.limits = { visit: max_visit, nodes: max_nodes, end: performance.now() + max_ms };
    this.records = [];
    this.byElement = new Map();
    this.visited = this.hidden = this.interactives = this.kept = 0;
    this.partial = '';
    this.hosts = [];
    this.hostLooks = 0;
    this.outOfFlow = [];
    this.modal = null;
    this.text = '';
    this.textFrame = null;
    this.line = null;
    this.focus = activeElement();
    this.root = rootPlaces();
  }

  run(start) {
    this.frame = this.ground(start);
    const base = this.frame;
    this.enter(start, base);
    while (this.frame !== base) {
      const frame = this.frame;
      const node = this.partial ? null : takeNext(frame);
      if (node === null) this.leave(frame);
      else if (typeOf.call(node) === TEXT) this.say(node, frame);
      else if (typeOf.call(node) === ELEMENT) this.enter(node, frame);
    }
    this.flush();
    return this;
  }

  // The frame the walk stands on: the start's ancestors, looked at but not noted.
  ground(start) {
    const path = [];
    for (let up = flatParent(start); up; up = flatParent(up)) path.push(up);
    let frame = newFrame(null, '', null);
    frame.places = this.root;
    for (const el of path.reverse()) {
      const tag = tagOf(el);
      const inner = newFrame(el, tag, frame);
      inner.style = styleOf(el);
      inner.pointer = inner.style.cursor === 'pointer';
      inner.aria = frame.aria || isOn(el, 'aria-hidden');
      inner.disabled = frame.disabled || isOn(el, 'aria-disabled');
      frame = inner;
    }
    return frame;
  }

  enter(el, up) {
    this.visited += 1;
    if (this.visited > this.limits.visit) this.partial = 'visits';
    else if ((this.visited & 255) === 0 && performance.now() > this.limits.end) this.partial = 'time';
    const tag = tagOf(el);
    if (UNSEEN_TAGS.has(tag)) return;
    const seen = look(el);
    if (seen === GONE) return this.pass(el, tag, up);
    const bare = !hasAttributes.call(el);
    const marked = !bare && matches.call(el, MARKS);
    if (marked && has(el, 'inert')) return this.count(el, tag);
    const frame = newFrame(el, tag, up);
    frame.seen = seen === SEEN || seen === BOXLESS;
    frame.start = this.visited;
    if (marked) markFrame(frame, el);
    this.style(frame, bare);
    if (!frame.inline) this.breakLine();
    this.note(frame, bare, marked, seen);
    if (HOST_TAGS.has(tag) || tag.includes('-')) this.askAbout(el, tag);
    if (CLOSED_TAGS.has(tag)) return this.leave(frame, true);
    openFrame(frame);
    this.frame = frame;
  }

  leave(frame, unopened = false) {
    if (!unopened) this.frame = frame.up;
    frame.end = this.visited;
    if (frame.own || !frame.inline) this.flush();
    if (!frame.inline) this.breakLine();
    if (frame.own) this.judge(frame.own, frame);
  }

  // Cursor and display. An element without attributes after two siblings just like it has their style.
  style(frame, bare) {
    const { up, tag } = frame;
    if (bare && up.twin === tag) {
      up.twins += 1;
      if (up.twins > MAX_TWINS) {
        frame.pointer = up.twinPointer;
        frame.inline = up.twinInline;
        return;
      }
    }
    const style = frame.style = styleOf(frame.el);
    frame.pointer = style.cursor === 'pointer';
    if (INLINE_LEVEL.has(tag) || tag.includes('-')) frame.inline = /^(inline|contents|ruby)/.test(style.display);
    if (bare && up.twin !== tag) up.twins = 0;
    up.twin = bare ? tag : '';
    up.twinPointer = frame.pointer;
    up.twinInline = frame.inline;
    if (!bare) this.layers(frame, style);
  }

  // What lies over other things: the top layer, dialogs, out-of-flow boxes; and what scrolls by itself.
  layers(frame, style) {
    const { el, tag } = frame;
    const position = style.position;
    if (position === 'fixed' || position === 'absolute') this.float(frame, style, position);
    if (tag === 'dialog' || has(el, 'popover')) {
      if (matches.call(el, ':modal')) this.modal = frame;
      if (matches.call(el, ':modal,:popover-open')) frame.layer |= TOP;
    }
    if (!frame.inline && tag !== 'body' && tag !== 'html' && tag !== 'textarea' && /auto|scroll/.test(style.overflow)) {
      frame.scrolls = scrollHeightOf.call(el) - clientHeightOf.call(el) > 50 ||
        scrollWidthOf.call(el) - clientWidthOf.call(el) > 50;
    }
  }

  float(frame, style, position) {
    frame.out = true;
    if (style.pointerEvents === 'none') return;
    const box = boxOf(frame.el);
    if (isEmpty(box) || isOff(box, this.root.flow)) return;
    const over = { frame, box, fixed: position === 'fixed', z: style.zIndex, share: 0 };
    this.outOfFlow.push(over);
    const area = (Math.min(box.r, innerWidth) - Math.max(box.l, 0)) * (Math.min(box.b, innerHeight) - Math.max(box.t, 0));
    over.share = area / (innerWidth * innerHeight || 1);
  }

  placesOf(frame) {
    if (frame.places) return frame.places;
    const path = [];
    let up = frame;
    for (; !up.places; up = up.up) path.push(up);
    let places = up.places;
    for (let i = path.length - 1; i >= 0; i -= 1) {
      const inner = path[i];
      places = inner.places = placesIn(inner.el, inner.tag, inner.style || styleOf(inner.el), places);
    }
    return places;
  }

  say(node, frame) {
    if (frame.mute || !frame.seen || this.text.length > MAX_DATA) return;
    if (!this.text) this.textFrame = frame;
    this.text += textData(node);
  }

  // Ends the current run of text and notes it.
  flush() {
    if (!this.text) return;
    const text = squash(this.text);
    const frame = this.textFrame;
    this.text = '';
    if (!text) return;
    const places = this.placesOf(frame);
    if (places.away || places.flow.gone) return;
    this.records.push(textRecord(cut(text, MAX_RUN), frame.record));
    this.kept += 1;
    this.onLine().text = true;
    if (this.records.length >= this.limits.nodes) this.partial = 'nodes';
  }

  onLine() {
    return this.line || (this.line = { text: false, inlines: [] });
  }

  breakLine() {
    this.flush();
    if (this.line && this.line.text) for (const record of this.line.inlines) record.flags |= INLINE;
    this.line = null;
  }

  // An element that is not shown: counted, unless a visible label stands for it.
  pass(el, tag, up) {
    if (tag === 'input' || tag === 'select') {
      if (this.rescue(el, tag, up)) return;
    }
    this.count(el, tag);
  }

  count(el, tag) {
    if (matches.call(el, COUNTED)) this.hidden += 1;
    if (firstElementOf.call(el)) this.hidden += queryAll(el, COUNTED).length;
  }

  // A transparent control over a drawn one is how custom boxes are made; people see and click it.
  rescue(el, tag, up) {
    if (this.byElement.has(el) || !up.seen || styleOf(el).display === 'none') return false;
    if (tag === 'input' && !/^(checkbox|radio|file|range)$/.test(el.type)) return false;
    const style = styleOf(el);
    const box = boxOf(el);
    if (style.visibility !== 'visible' || style.opacity !== '0' || box.r - box.l < 6 || box.b - box.t < 6) return false;
    const frame = newFrame(el, tag, up);
    frame.start = this.visited;
    frame.style = style;
    return this.strong(frame, roleOf(el, tag)) !== null;
  }

  askAbout(el, tag) {
    if (this.hosts.length >= MAX_HOSTS || askedHosts.has(el) || rootOf(el)) return;
    if (tag.includes('-')) this.hosts.push(idOf(el));
    else if (firstOf.call(el) === null && ++this.hostLooks < MAX_HOSTS * 2 && !isEmpty(boxOf(el))) this.hosts.push(idOf(el));
  }
}

function newFrame(el, tag, up) {
  return {
    el, tag, up, next: null, list: null, index: 0, record: up && up.record, own: null, style: null, places: null,
    pointer: false, inline: false, seen: true, mute: up !== null && up.mute, only: up !== null && up.only,
    within: up && up.within, aria: up !== null && up.aria, disabled: up !== null && up.disabled,
    layer: up ? up.layer : 0, grid: up !== null && up.grid, scrolls: false, out: false, start: 0, end: 0,
    twin: '', twins: 0, twinPointer: false, twinInline: false,
  };
}

function markFrame(frame, el) {
  if (!frame.aria && isOn(el, 'aria-hidden')) frame.aria = true;
  if (!frame.disabled && isOn(el, 'aria-disabled')) frame.disabled = true;
  if (frame.aria) frame.mute = true;
}

function openFrame(frame) {
  const { el, tag } = frame;
  if (tag === 'details' && !el.open) {
    frame.list = [firstChildNamed(el, 'summary')].filter(Boolean);
    return;
  }
  const first = flatFirst(el, tag);
  if (Array.isArray(first)) frame.list = first;
  else frame.next = first;
}

function takeNext(frame) {
  if (frame.list) return frame.index < frame.list.length ? frame.list[frame.index++] : null;
  const node = frame.next;
  if (node !== null) frame.next = nextOf.call(node);
  return node;
}

function activeElement() {
  let active = activeOf.document.call(page);
  while (active) {
    const root = rootOf(active);
    const inner = root && activeOf.fragment.call(root);
    if (!inner) break;
    active = inner;
  }
  return active && active !== rootElementOf.call(page) && tagOf(active) !== 'body' ? active : null;
}

const textRecord = (text, up) => ({
  el: null, role: 'text', name: text, tag: '', flags: 0, extra: null, box: null, up, keep: true, kind: 'text',
  weak: false, start: 0, index: 0, last: 0, before: 0, keptBefore: 0, inner: 0, items: null, end: 0,
});
