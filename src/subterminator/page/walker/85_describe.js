// All about one element, as the gate wants to know it.

const MAX_TEXT = 300, MAX_OWNER_TEXT = 400;

function describeElement(id) {
  const el = elementOf(id);
  if (!el || !connectedOf.call(el)) return null;
  const record = recordOf(el);
  const { tag, role } = record;
  // What a walk shows as usable has been looked at from all sides.
  let why = record.start !== 0 && record.flags & INTERACTIVE ? '' : whyUnseen(el);
  const label = why === '' ? null : standInFor(el);
  if (label) {
    why = '';
    record.box = boxOf(label);
  }
  const [, , name, , flags, , x, y, w, h] = nodeOf(record, 0);
  const place = standingIn(el);
  const told = { id, role, name, flags, tag, box: [x, y, w, h], extra: record.extra || {}, text: ownText(el, flags),
                 connected: true, visible: why === '', why, form: formOf(el, place),
                 submits: (flags & SUBMITS) !== 0, target: attr(el, 'target') || '',
                 href: tag === 'a' || tag === 'area' ? linkTarget(el) : '', origin: self.origin,
                 around: textAround(el, place), enter: cut(enterOf(el, record, name), MAX_TEXT),
                 captcha: isPuzzle(el, record, name, place) };
  // By way of text, since only there are half characters looked for.
  return JSON.parse(toJson(told));
}

const CONTROLS = wordSet('button link menuitem menuitemcheckbox menuitemradio tab switch checkbox radio option treeitem');

// The control that a press on an element would press: what it is a part of. 0 if it stands for itself.
function ownerOf(id) {
  const el = elementOf(id);
  if (!el) return 0;
  freshMemo();
  const strong = CONTROLS.has(roleOf(el));
  for (let up = flatParent(el); up; up = flatParent(up)) {
    const tag = tagOf(up);
    if (CONTROLS.has(roleOf(up, tag)) || tag === 'summary') return idOf(up);
    // A field stands for itself inside its own label.
    if (tag === 'label' && !strong && up.control !== el) return idOf(up);
    // What listens and holds a whole page listens for others.
    const listens = !strong && (clickables.has(up) || has(up, 'onclick'));
    if (listens && textOf.call(up).length <= MAX_OWNER_TEXT) return idOf(up);
  }
  return 0;
}

// What a press depends on and nothing else: asked right before it, and again while something is awaited.
function stateOf(el) {
  const record = recordOf(el);
  const [, , name, , flags] = nodeOf(record, 0);
  return { role: record.role, name: name.toWellFormed(), flags };
}

// As a walk sees it, so that an element is called the same here and there; by itself where a walk leaves it out.
function recordOf(el) {
  const walk = new Walk({ max_visit: 3000, max_ms: 200 });
  walk.run(el);
  const found = walk.records.find(record => record.el === el && record.keep);
  if (found) {
    found.box = found.box || anyBox(el, found.tag);
    return found;
  }
  const tag = tagOf(el);
  const role = roleOf(el, tag);
  const record = new Record(el, role, nameOf(el, role, tag), tag, null);
  record.box = anyBox(el, tag);
  if (isStrong(el, tag, role, true) || role === 'option') record.flags |= INTERACTIVE;
  else if (lookAt(el).pointer) record.flags |= INTERACTIVE | POINTER;
  if (clickables.has(el) || has(el, 'onclick')) record.flags |= LISTENER | INTERACTIVE;
  if (el === walk.focus) record.flags |= FOCUSED;
  if (!record.name && !KINDS.has(role) && !NO_CONTENT.has(tag)) {
    record.name = cut(squash(contentText(el, tag, newSearch(false, false), lookAt(el), true)), MAX_GENERIC_NAME);
  }
  readStates(record, bitsOf(el), null);
  return record;
}

const visibleText = el => (el instanceof HTMLElement ? innerTextOf : textOf).call(el).slice(0, MAX_DATA);

function ownText(el, flags) {
  if (flags & SECRET || hiddenTexts(el).length) return '';
  return cut(squash(visibleText(el)), MAX_TEXT);
}

// Parts of an element whose text is a secret that is being written there.
const hiddenTexts = el => [...queryAll(el, '[contenteditable]')].slice(0, MAX_FIELDS)
  .filter(part => isEditableRoot(part) && secretOf(part) !== '');

// Code written into the attributes of an element and of what is around it.
function handlers(id) {
  const found = [];
  for (let up = elementOf(id), levels = 0; up && levels < MAX_LEVELS; up = flatParent(up), levels += 1) {
    for (const name of getAttributeNames.call(up)) {
      if (name.startsWith('on')) found.push(`${levels} ${name} ${attr(up, name).slice(0, MAX_DATA)}`.toWellFormed());
    }
  }
  return found.slice(0, MAX_FIELDS);
}
