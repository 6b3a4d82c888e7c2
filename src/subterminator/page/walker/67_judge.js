// What is decided about noted elements on the way out, once their contents are known.

const CAPTCHA = /recaptcha|hcaptcha|turnstile|challenges\.cloudflare\.com|arkoselabs|funcaptcha/i;
const MAX_OWN_TEXTS = 100, MAX_CELL_PARTS = 20, MAX_PARTS = 12, MAX_PART_TEXT = 20;

Object.assign(Walk.prototype, {
  judge(record, frame) {
    record.last = this.records.length - 1;
    record.end = this.visited;
    if (record.keep) return;
    if (record.weak !== 0) this.judgeWeak(record, frame);
    if (!record.keep && record.kind !== '') {
      const wanted = JUDGES[record.kind](record, this.kept - record.keptBefore, this);
      if (wanted) this.finish(record);
    }
  },

  // Innermost first: what only listens or has a pointer and holds something usable is a container, unless it
  // starts the pointer cursor and has text of its own.
  judgeWeak(record, frame) {
    const inner = this.interactives - record.before;
    if (inner > 0 && !(record.weak & POINTER)) return;
    const own = this.ownTexts(record);
    if (inner > 0 && own.text === '') return;
    const text = own.text || (frame.mute ? mutedText(record, frame) : '');
    if (frame.within && text === frame.within.name) return;
    if (inner === 0 && this.splitParts(record, frame, own)) return;
    const author = nameWithoutContent(record.el, record.tag, record.role);
    record.name = author || cut(text, MAX_GENERIC_NAME);
    record.flags |= INTERACTIVE;
    this.finish(record);
    if (!author && own.text.length <= MAX_GENERIC_NAME) for (const said of own.records) this.drop(said);
  },

  drop(record) {
    record.keep = false;
    this.kept -= 1;
  },

  // Text, headings and pictures of a record that belong to nothing usable inside it.
  ownTexts(record) {
    const texts = [], records = [];
    for (let i = record.index + 1; i < this.records.length && records.length < MAX_OWN_TEXTS; i += 1) {
      const inner = this.records[i];
      if (!inner.keep) continue;
      if (inner.flags & INTERACTIVE) {
        i = inner.last;
      } else if (inner.kind === 'text' || inner.kind === 'heading' || inner.kind === 'img') {
        texts.push(inner.name);
        records.push(inner);
        i = inner.last;
      }
    }
    return { text: texts.join(' '), records };
  },

  // One pointer parent over several icons or labels alike: these are the things to click.
  splitParts(record, frame, own) {
    if (!(record.weak & POINTER) || clickables.has(record.el) || /^(tr|td|li|a)$/.test(record.tag)) return false;
    const parts = alikeParts(record.el, own.text !== '');
    if (parts.length < 2) return false;
    for (const said of own.records) this.drop(said);
    for (const el of parts) {
      const inner = new Frame(el, tagOf(el), frame, lookAt(el));
      inner.start = frame.start;
      const box = boxOf(el);
      const part = this.record(inner, roleOf(el), box, this.sightOf(inner, box));
      part.up = record;
      part.name = nameOf(el, part.role) || squash(textOf.call(el).slice(0, MAX_DATA));
      part.flags |= INTERACTIVE | POINTER;
      this.finish(part);
    }
    record.last = this.records.length - 1;
    return true;
  },
});

// Where text is not noted because it is part of another name.
const mutedText = ({ el, tag }, { look }) => squash(contentText(el, tag, newSearch(false, false), look, true));

// By kind: whether a node is worth its line. `inside` is how many nodes it holds.
const JUDGES = {
  heading: record => record.name !== '',
  named: (record, inside) => record.name !== '' && inside > 0,
  box: (record, inside) => inside > 0,
  live: () => true,
  img: record => record.name !== '',
  frame: record => { readFrame(record); return record.extra.cb[2] > 1 && record.extra.cb[3] > 1; },
  scroll: (record, inside) => inside > 0,
  captcha: (record, inside) => { fact(record).cap = true; return inside === 0; },
  table: (record, inside) => { record.name = nameOf(record.el, record.role, record.tag); return inside > 0; },
  row: (record, inside) => { record.name = nameWithoutContent(record.el, record.tag, 'row'); return inside > 0; },
  cell: (record, inside, walk) => { nameCell(record, walk); return inside > 0; },
  list: (record, inside, walk) => judgeList(record, walk),
  item: () => false,
};

function judgeList(record, walk) {
  record.name = nameWithoutContent(record.el, record.tag, 'list');
  if (record.name === '' && walk.interactives === record.before) return false;
  for (const item of record.items) if (!item.keep && item.last > item.index) walk.finish(item);
  return walk.kept > record.keptBefore;
}

// A cell that holds nothing but text is its text; otherwise its parts speak for themselves.
function nameCell(record, walk) {
  record.name = nameWithoutContent(record.el, record.tag, 'generic');
  const { records } = walk;
  if (record.name !== '' || records.length - record.index > MAX_CELL_PARTS) return;
  const texts = [];
  for (let i = record.index + 1; i < records.length; i += 1) {
    if (records[i].keep && records[i].kind !== 'text') return;
    if (records[i].keep) texts.push(records[i]);
  }
  record.name = cut(texts.map(text => text.name).join(' '), MAX_NAME);
  for (const text of texts) walk.drop(text);
}

// The name from attributes and host-language labels, without contents.
function nameWithoutContent(el, tag, role) {
  const bits = bitsOf(el);
  if (!(bits & A_NAME) && !NATIVE_NAMES[tag]) return '';
  const name = computeName(el, NAMED_BY_CONTENT.has(role) ? 'generic' : role, tag, null, bits);
  return cut(squash(name.slice(0, MAX_GATHERED)), MAX_NAME);
}

function alikeParts(el, hasText) {
  const parts = [];
  for (let node = firstOf.call(el); node; node = nextOf.call(node)) {
    const type = typeOf.call(node);
    if (type === TEXT && squash(textData(node))) return NONE;
    if (type === ELEMENT) parts.push(node);
    if (parts.length > MAX_PARTS) return NONE;
  }
  const [first] = parts;
  const isAlike = part => tagOf(part) === tagOf(first) && (!hasText || attr(part, 'class') === attr(first, 'class')) &&
    (!hasText || !firstElementOf.call(part)) && squash(textOf.call(part).slice(0, 200)).length <= MAX_PART_TEXT &&
    !isEmpty(boxOf(part));
  return parts.every(isAlike) ? parts : NONE;
}

function readFrame(record) {
  const { el, box } = record;
  const source = (attr(el, 'src') || '').slice(0, 2000) + ' ' + (attr(el, 'title') || '').slice(0, MAX_FACT);
  if (CAPTCHA.test(source)) fact(record).cap = true;
  const style = styleOf(el);
  const px = name => parseFloat(style[name]) || 0;
  const sx = (box.r - box.l) / (offsetWidthOf.call(el) || 1), sy = (box.b - box.t) / (offsetHeightOf.call(el) || 1);
  const [left, top, right, bottom] = ['Left', 'Top', 'Right', 'Bottom']
    .map(side => px(`border${side}Width`) + px(`padding${side}`));
  const l = box.l + left * sx, t = box.t + top * sy;
  fact(record).cb = [l, t, box.r - right * sx - l, box.b - bottom * sy - t].map(Math.round);
  if (Math.abs(sx - 1) < 0.01 && Math.abs(sy - 1) < 0.01) return;
  fact(record).sc = [sx, sy].map(n => Math.round(n * 1000) / 1000);
}
