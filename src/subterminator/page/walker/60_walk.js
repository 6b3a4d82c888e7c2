// One pass over the flat tree. Iterative: a page may be nested deeper than the stack. What an element is worth is
// often known only after its contents (a list matters if something in it can be clicked), so nodes are noted on the
// way in, judged on the way out, and given their depth at the end.

const COUNTED = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],' +
  '[role=checkbox],[role=tab],[role=menuitem],[contenteditable=true]';
const CLOSED_TAGS = wordSet('input textarea select iframe frame video audio canvas img progress meter embed hr br wbr');
const HOST_TAGS = wordSet('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');
const MAX_HOSTS = 200, MIN_HOST = 8, MAX_RUN = 2000, MAX_GENERIC_NAME = 120;

// An element on the path from the root to where the walk is.
class Frame {
  constructor(el, tag, up, look) {
    this.el = el;
    this.tag = tag;
    this.up = up;
    this.look = look;
    this.next = this.list = this.own = this.places = null;
    this.index = this.start = this.end = this.bits = 0;
    this.seen = true;
    this.scrolls = false;
    this.inline = look.inline;
    // Handed down: the node this is in, what lies around it, and what is not wanted inside it.
    this.record = up && up.record;
    this.within = up && up.within;
    this.layer = up ? up.layer : 0;
    this.mute = up !== null && up.mute;
    this.only = up !== null && up.only;
    this.aria = up !== null && up.aria;
    this.disabled = up !== null && up.disabled;
    this.role = '';
    this.grid = up ? up.grid : '';
  }

  mark() {
    if (!this.aria && isOn(this.el, 'aria-hidden')) this.aria = this.mute = true;
    if (!this.disabled && isOn(this.el, 'aria-disabled')) this.disabled = true;
  }

  // Whether a child without a box is so only by display:contents. Its style is not to be asked for where content is
  // skipped: that would make the browser style the whole skipped subtree.
  hasBoxless(child) {
    return !this.look.skips && styleOf(child).display === 'contents';
  }

  open() {
    const { el, tag } = this;
    const first = isClosed(el, tag) ? summaryOnly(el) : flatFirst(el, tag);
    if (Array.isArray(first)) this.list = first;
    else this.next = first;
  }

  take() {
    if (this.list !== null) return this.index < this.list.length ? this.list[this.index++] : null;
    const node = this.next;
    if (node !== null) this.next = nextOf.call(node);
    return node;
  }
}

// A node to be: an element, or a run of text where `el` is null.
class Record {
  constructor(el, role, name, tag, up) {
    this.el = el;
    this.role = role;
    this.name = name;
    this.tag = tag;
    this.up = up;
    this.flags = 0;
    this.extra = this.box = this.items = null;
    this.kind = '';
    this.weak = 0;
    this.keep = false;
    // Where it starts and ends: in visits, in records; how many nodes there were before it; its depth for others.
    this.start = this.end = this.index = this.last = this.before = this.keptBefore = this.inner = 0;
  }
}

class Walk {
  constructor({ max_visit = 300000, max_nodes = 50000, max_ms = 3000 } = {}) {
    freshMemo();
    this.limits = { visit: max_visit, nodes: max_nodes, end: performance.now() + max_ms };
    this.records = [];
    // Fields only: nothing else can be met twice, once itself and once through its label.
    this.fields = new Map();
    this.standIns = [];
    this.visited = this.hidden = this.interactives = this.kept = this.hostLooks = 0;
    this.partial = this.text = '';
    this.hosts = [];
    this.outOfFlow = [];
    this.modal = this.textFrame = this.line = null;
    this.focus = activeElement();
    this.fullscreen = fullscreenOf.call(page);
    this.root = rootPlaces();
  }

  run(start) {
    const base = this.frame = this.ground(start);
    if (base !== null) this.enter(start, base);
    while (this.frame !== base) {
      const frame = this.frame;
      const node = this.partial === '' ? frame.take() : null;
      if (node === null) {
        this.frame = frame.up;
        this.leave(frame);
      } else {
        const type = typeOf.call(node);
        if (type === TEXT) this.say(node, frame);
        else if (type === ELEMENT) this.enter(node, frame);
      }
    }
    this.breakLine();
    this.useStandIns();
    return this;
  }

  // The frame the walk stands on: the start's ancestors, looked at but not noted. Null where they hide everything.
  ground(start) {
    const path = [];
    for (let up = flatParent(start); up; up = flatParent(up)) path.push(up);
    let frame = new Frame(null, '', null, new Look());
    frame.places = this.root;
    for (const el of path.reverse()) {
      frame = new Frame(el, tagOf(el), frame, lookAt(el));
      if (!frame.look.opaque || has(el, 'inert')) return null;
      frame.seen = frame.look.visible;
      frame.mark();
    }
    return frame;
  }

  enter(el, up) {
    this.visited += 1;
    if (this.visited > this.limits.visit) this.partial = 'visits';
    else if ((this.visited & 63) === 0 && performance.now() > this.limits.end) this.partial = 'time';
    const tag = tagOf(el);
    if (tag === 'br') return this.saySpace(up);
    if (tagFacts(tag).unseen) return;
    const rendered = checkVisibility.call(el);
    if (!rendered && !up.hasBoxless(el)) return this.pass(el, tag, up);
    const bits = bitsOf(el);
    const look = lookUnder(up.look, el, tag, bits, up.seen);
    const seen = seenAs(look, rendered);
    if (seen === GONE) return this.pass(el, tag, up);
    if (seen === SEEN && this.isPlain(el, up, look, bits)) return this.sayPlain(el, up, look);
    if (bits & A_MARK && has(el, 'inert')) return this.count(el);
    const frame = new Frame(el, tag, up, look);
    frame.bits = bits;
    frame.seen = seen !== UNSEEN;
    frame.start = this.visited;
    if (bits & A_MARK) frame.mark();
    if (!frame.inline) this.breakLine();
    if (!look.inFlow || tag === 'dialog' || bits & A_MARK || el === this.fullscreen) this.layers(frame);
    this.note(frame, seen);
    if (look.tag.closed) return this.leave(frame);
    if (look.tag.host) this.askAbout(el, look.tag.custom);
    if (isClosed(el, tag)) this.countClosed(el);
    frame.open();
    this.frame = frame;
  }

  // Most elements of most pages: nothing to use, nothing out of place, no parts but one text.
  isPlain(el, up, look, bits) {
    if (bits & (A_ROLE | A_MARK) || look.tag.walked || !look.inFlow || look.skips || look.captcha) return false;
    if ((look.pointer && !up.look.pointer) || clickables.has(el)) return false;
    const first = firstOf.call(el);
    return first !== null && typeOf.call(first) === TEXT && nextOf.call(first) === null && rootOf(el) === null;
  }

  saySpace(frame) {
    if (this.text !== '' && !frame.mute) this.text += ' ';
  }

  sayPlain(el, up, look) {
    if (!look.inline) this.breakLine();
    this.say(firstOf.call(el), up);
    if (!look.inline) this.breakLine();
  }

  leave(frame) {
    frame.end = this.visited;
    if (!frame.inline) this.breakLine();
    else if (frame.own) this.flush();
    if (frame.own) this.judge(frame.own, frame);
  }

  // What lies over other things: the top layer, dialogs, out-of-flow boxes; and what scrolls by itself.
  layers(frame) {
    const { el, tag, look } = frame;
    if (look.position !== 'static' && look.position !== 'relative') this.float(frame);
    if (tag === 'dialog' || (frame.bits & A_MARK && has(el, 'popover'))) {
      if (matches.call(el, ':modal')) this.modal = frame;
      if (matches.call(el, ':modal,:popover-open')) frame.layer |= TOP;
    }
    if (el === this.fullscreen) frame.layer |= TOP;
    if (/auto|scroll/.test(look.overflow) && !frame.inline && tag !== 'body' && tag !== 'html' && tag !== 'textarea') {
      frame.scrolls = scrollHeightOf.call(el) - clientHeightOf.call(el) > 50 ||
        scrollWidthOf.call(el) - clientWidthOf.call(el) > 50;
    }
  }

  float(frame) {
    const box = boxOf(frame.el);
    if (isEmpty(box) || isOff(box, this.root.flow)) return;
    const style = styleOf(frame.el);
    if (style.pointerEvents === 'none') return;
    const width = Math.min(box.r, innerWidth) - Math.max(box.l, 0);
    const height = Math.min(box.b, innerHeight) - Math.max(box.t, 0);
    this.outOfFlow.push({ frame, box, fixed: frame.look.position === 'fixed', z: style.zIndex,
                          share: width * height / (innerWidth * innerHeight || 1) });
  }

  placesOf(frame) {
    if (frame.places !== null) return frame.places;
    const path = [];
    let up = frame;
    for (; up.places === null; up = up.up) path.push(up);
    let places = up.places;
    for (let i = path.length - 1; i >= 0; i -= 1) {
      const inner = path[i];
      places = inner.places = placesIn(inner.el, inner.tag, inner.look, places);
    }
    return places;
  }

  say(node, frame) {
    if (frame.mute || !frame.seen || frame.look.skips || this.text.length > MAX_DATA) return;
    const data = textData(node);
    if (this.text === '') {
      if (isWhite(data)) return;
      this.textFrame = frame;
    }
    this.text += data;
  }

  // Ends the current run of text and notes it.
  flush() {
    if (this.text === '') return;
    const text = squash(this.text);
    const frame = this.textFrame;
    this.text = '';
    if (text === '') return;
    if (!this.isReadable(frame)) return;
    const record = new Record(null, 'text', cut(text, MAX_RUN), '', frame.record);
    record.kind = 'text';
    record.keep = true;
    record.flags = frame.layer;
    record.start = record.end = this.visited;
    this.push(record);
    this.kept += 1;
    this.onLine(record);
    this.line.text = true;
  }

  isReadable(frame) {
    const { away, flow } = this.placesOf(frame);
    if (away) return false;
    if (flow.gone) return standsForAriaHidden(frame);
    return flow === this.root.flow || !isAway(boxOf(frame.el), flow);
  }

  push(record) {
    record.index = record.last = this.records.length;
    this.records.push(record);
    if (this.records.length >= this.limits.nodes) this.partial = 'nodes';
  }

  onLine(record) {
    const { line } = this;
    if (line === null) this.line = { text: false, later: null };
    else if (line.later === null) line.later = [record];
    else line.later.push(record);
  }

  breakLine() {
    this.flush();
    if (this.line === null) return;
    const { text, later } = this.line;
    // What goes on a line that something else began.
    if (text && later !== null) for (const record of later) record.flags |= INLINE;
    this.line = null;
  }

  // An element that is not shown: counted, unless it is a transparent control over a drawn one.
  pass(el, tag, up) {
    if ((tag === 'input' || tag === 'select') && this.rescue(el, tag, up)) return;
    if (tag === 'area' && up.seen && has(el, 'href') && this.strong(this.leafFrame(el, tag, up), 'link')) return;
    this.count(el);
  }

  count(el) {
    if (matches.call(el, COUNTED)) this.hidden += 1;
    if (firstElementOf.call(el)) this.hidden += queryAll(el, COUNTED).length;
  }

  countClosed(el) {
    const summary = firstChildNamed(el, 'summary');
    for (let part = firstElementOf.call(el); part; part = nextElementOf.call(part)) {
      if (part !== summary) this.count(part);
    }
  }

  rescue(el, tag, up) {
    if (!up.seen || !isTransparentControl(el)) return false;
    const record = this.strong(this.leafFrame(el, tag, up), roleOf(el, tag));
    // The browser's own caption cannot be seen on it.
    if (record && record.name === DEFAULT_NAMES[el.type]) record.name = '';
    return record !== null;
  }

  leafFrame(el, tag, up) {
    const frame = new Frame(el, tag, up, lookAt(el));
    frame.bits = bitsOf(el);
    frame.start = frame.end = this.visited;
    return frame;
  }

  askAbout(el, custom) {
    if (!custom && firstOf.call(el) !== null) return;
    if (this.hosts.length >= MAX_HOSTS || askedHosts.has(el) || rootOf(el)) return;
    if (custom) this.hosts.push(idOf(el));
    else if (++this.hostLooks < MAX_HOSTS * 2 && isFilledUnseen(el)) this.hosts.push(idOf(el));
  }
}

// Takes up room though it has no contents, and no decoration that explains it: there may be a closed shadow root.
function isFilledUnseen(el) {
  const box = boxOf(el);
  if (box.r - box.l < MIN_HOST || box.b - box.t < MIN_HOST) return false;
  const { backgroundImage, maskImage } = styleOf(el);
  return backgroundImage === 'none' && maskImage === 'none' && generatedText(el, '::before') === '' &&
    generatedText(el, '::after') === '';
}

// Custom check boxes and file fields are transparent controls over something drawn; people see and click them.
function isTransparentControl(el) {
  const tag = tagOf(el);
  if (tag !== 'select' && (tag !== 'input' || !/^(checkbox|radio|file|range)$/.test(el.type))) return false;
  const style = styleOf(el);
  if (style.display === 'none' || style.visibility !== 'visible' || style.opacity !== '0') return false;
  const box = boxOf(el);
  return box.r - box.l >= 6 && box.b - box.t >= 6;
}

// Text drawn twice, once for eyes and once clipped for screen readers ($12.99), is read from the second.
function standsForAriaHidden(frame) {
  for (let at = frame, levels = 0; at.el && levels < 3; at = at.up, levels += 1) {
    for (const beside of [nextElementOf.call(at.el), previousElementOf.call(at.el)]) {
      if (beside && isOn(beside, 'aria-hidden') && checkVisibility.call(beside, SHOWN) &&
          !isWhite(textOf.call(beside).slice(0, 200))) return true;
    }
  }
  return false;
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
