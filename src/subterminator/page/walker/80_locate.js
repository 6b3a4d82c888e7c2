// Finding elements by selector.

const MAX_FOUND = 50;
const MAX_SEARCHED = 100000;

// Every root that can be searched: the document, open and adopted shadow roots.
function* allRoots() {
  const roots = [page];
  for (let i = 0; i < roots.length && i < 1000; i += 1) {
    yield roots[i];
    for (const el of queryAll(roots[i], '*')) {
      const inner = rootOf(el);
      if (inner) roots.push(inner);
    }
  }
}

function* allElements() {
  let left = MAX_SEARCHED;
  for (const root of allRoots()) {
    for (const el of queryAll(root, '*')) {
      if (--left < 0) return;
      if (!UNSEEN_TAGS.has(tagOf(el))) yield el;
    }
  }
}

function matcher(wanted, exact) {
  const needle = squash(String(wanted));
  if (exact) return text => squash(text) === needle;
  const lower = needle.toLowerCase();
  return text => squash(text).toLowerCase().includes(lower);
}

const FINDERS = {
  css(selector) {
    const found = [];
    for (const root of allRoots()) {
      for (const el of queryAll(root, selector.value)) if (found.push(el) >= MAX_FOUND) return found;
    }
    return found;
  },
  xpath(selector) {
    const result = XPATH.evaluate.call(page, selector.value, page, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({ length: Math.min(result.snapshotLength, MAX_FOUND) }, (_, i) => result.snapshotItem(i))
      .filter(node => typeOf.call(node) === ELEMENT);
  },
  role({ role, name, exact }) {
    const fits = name === undefined || name === null ? () => true : matcher(name, exact);
    return search(el => roleOf(el) === role && fits(nameOf(el, role)) && isVisible(el));
  },
  text: selector => findText(matcher(selector.value, selector.exact)),
  label(selector) {
    const fits = matcher(selector.value, selector.exact);
    return search(el => isLabelled(el) && fits(nameOf(el, roleOf(el))));
  },
  placeholder(selector) {
    const fits = matcher(selector.value, selector.exact);
    return search(el => fits(attr(el, 'placeholder') || attr(el, 'aria-placeholder') || '') &&
      (has(el, 'placeholder') || has(el, 'aria-placeholder')));
  },
  testId: ({ value }) => search(el => attr(el, 'data-testid') === value || attr(el, 'data-test') === value),
  coordinates(selector) {
    const hit = deepestAt(selector.x, selector.y);
    return hit ? [usableFor(hit)] : [];
  },
};
const XPATH = { evaluate: Document.prototype.evaluate };

const isLabelled = el => LABELABLE_TAGS.has(tagOf(el)) && !(tagOf(el) === 'input' && el.type === 'hidden') ||
  has(el, 'aria-label') || has(el, 'aria-labelledby');

function search(fits) {
  const found = [];
  for (const el of allElements()) {
    if (fits(el) && found.push(el) >= MAX_FOUND) break;
  }
  return found;
}

// The innermost elements whose own text fits; where that is part of something usable, the usable thing.
function findText(fits) {
  const found = new Set();
  for (const el of allElements()) {
    if (found.size >= MAX_FOUND) break;
    if (!fits(shownText(el)) || hasFittingChild(el, fits) || !isVisible(el) || !fits(seenText(el))) continue;
    found.add(usableFor(el));
  }
  return [...found];
}

function shownText(el) {
  const tag = tagOf(el);
  if (tag === 'input') return BUTTON_TYPES.has(el.type) ? el.value : '';
  return NO_CONTENT.has(tag) ? '' : textOf.call(el).slice(0, MAX_DATA);
}

// The text that is there may be in scripts and hidden parts; asked only of the few elements that are left.
function seenText(el) {
  if (tagOf(el) === 'input') return shownText(el);
  const texts = TREE.createTreeWalker.call(page, el, NodeFilter.SHOW_TEXT);
  const seen = [];
  for (let size = 0; size < MAX_DATA && texts.nextNode();) {
    const parent = texts.currentNode.parentElement;
    if (UNSEEN_TAGS.has(tagOf(parent))) continue;
    if (!checkVisibility.call(parent, SHOWN) && styleOf(parent).display !== 'contents') continue;
    seen.push(texts.currentNode.data);
    size += seen.at(-1).length;
  }
  return seen.join('');
}
const TREE = { createTreeWalker: Document.prototype.createTreeWalker };

function hasFittingChild(el, fits) {
  const root = rootOf(el) || el;
  for (let child = firstElementIn(root); child; child = nextElementOf.call(child)) {
    if (!UNSEEN_TAGS.has(tagOf(child)) && fits(shownText(child)) && isVisible(child)) return true;
  }
  return false;
}

function usableFor(el) {
  for (let up = el, levels = 0; up && levels < 10; up = flatParent(up), levels += 1) {
    const tag = tagOf(up);
    if (tag === 'body') break;
    if (tag === 'label' && up.control) return up.control;
    const role = roleOf(up, tag);
    if (isStrong(up, tag, role, true) || clickables.has(up) || has(up, 'onclick')) return up;
  }
  return el;
}

function locate(selector) {
  freshMemo();
  const find = FINDERS[selector.type];
  if (!find) throw new Error(`unknown selector type: ${selector.type}`);
  let found;
  try {
    found = find(selector);
  } catch (error) {
    throw new Error(`invalid ${selector.type} selector: ${error.message}`);
  }
  return [...new Set(found)].slice(0, MAX_FOUND).map(idOf);
}
