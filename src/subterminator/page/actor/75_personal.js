// Where a page shows what a proof must not: mail addresses, and the digits of cards. The same patterns as in
// runs/masking.py; of a match only what stands in its group is covered, if it has one.

const PERSONAL = [
  /[\w.+'-]{1,64}@[^\W_][\w.-]{0,250}/gd,
  /[*•●∙·xX#]{2,}[\s-]{0,30}\d{2,4}(?!\d)/gd,
  /(?:ending|ends)(?:\s+(?:in|with))?(?:\s+the\s+digits)?:?\s+(?!20[2-4]\d)(\d{4})(?!\d|[./-]\d)/gid,
  /(?:endet\s+auf|endend\s+auf|mit\s+den?\s+endziffern?):?\s+(?!20[2-4]\d)(\d{4})(?!\d|[./-]\d)/gid,
  /(?:termina(?:da|ndo|nt)?|finissant)(?:\s+(?:en|con|in|per|par))?:?\s+(?!20[2-4]\d)(\d{4})(?!\d|[./-]\d)/gid,
  /\b(?:visa|master ?card|maestro|amex|american express|discover|diners(?: club)?|girocard)[\s-]{1,30}(\d{4})(?!\d)/gid,
  /(?<![\d.,])\d(?:[ \u00a0-]?\d){12,18}(?![\d.,])/gd,
];
const MAX_PERSONAL = 300;
const LONGEST_RUN = 20_000;
const FIELDS = 'input,textarea,select';
// A form may be named like what is asked of its document.
const queryAll = (root, selector) =>
  (root instanceof Document ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector);

// Boxes in pixels of what is in view. A word may be cut into several elements, so lines are read as they are drawn.
function personalPlaces() {
  const boxes = [];
  for (const root of walker.roots()) {
    for (const run of runsOf(root)) {
      for (const [start, end] of matchesIn(run.text)) boxes.push(...drawn(run, start, end));
    }
    for (const field of queryAll(root, FIELDS)) {
      const shown = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text ?? '' : field.value;
      if (matchesIn(shown).length && isDrawn(field)) boxes.push(boxOf(field));
    }
    if (boxes.length > MAX_PERSONAL) return [[0, 0, innerWidth, innerHeight]];
  }
  return boxes.map(({ left, top, width, height }) => [left - 1, top - 1, width + 2, height + 2].map(Math.round));
}

function matchesIn(text) {
  const found = [];
  for (const pattern of PERSONAL) {
    for (const match of text.slice(0, LONGEST_RUN).matchAll(pattern)) found.push(match.indices[1] ?? match.indices[0]);
  }
  return found;
}

// The texts of a root, joined as far as they stand in one line of thought: in the same block.
function runsOf(root) {
  const runs = new Map();
  const walk = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const block = blockOf(node);
    if (!block) continue;
    if (!runs.has(block)) runs.set(block, { text: '', nodes: [] });
    const run = runs.get(block);
    run.nodes.push([run.text.length, node]);
    run.text += node.data;
  }
  return runs.values();
}

function blockOf(node) {
  let at = parentElement.call(node) ?? node.parentNode?.host;
  while (at && parentElement.call(at) && getComputedStyle(at).display.startsWith('inline')) at = parentElement.call(at);
  return at;
}

function drawn(run, start, end) {
  const place = (index) => {
    const [from, node] = run.nodes.findLast(([begins]) => begins <= index);
    return [node, index - from];
  };
  const range = new Range();
  range.setStart(...place(start));
  const [last, offset] = place(end - 1);
  range.setEnd(last, offset + 1);
  return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
}
