// A question on the panel, with the facts of the terminal's screen. The answer is no until a person says yes: Enter
// alone is no, and what has just appeared cannot be agreed to by a press that was meant for something else.

const SETTLED_MS = 800;

export function askOf(asked, { answer, look }) {
  const element = document.getElementById('ask').content.firstElementChild.cloneNode(true);
  const part = (selector) => element.querySelector(selector);
  const [title, facts, how, field, yes] = ['h2', 'dl', '.how', 'input', '.yes'].map(part);
  const handsOver = asked.kind === 'hand_over';
  element.classList.toggle('red', Boolean(asked.red));
  title.id = `title-${asked.id}`;
  facts.id = `facts-${asked.id}`;
  field.id = `field-${asked.id}`;
  element.setAttribute('aria-labelledby', title.id);
  element.setAttribute('aria-describedby', facts.id);
  title.textContent = asked.title;
  facts.append(...asked.facts.flatMap(factOf));
  how.textContent = handsOver
    ? 'Please do it in the page yourself. I am not looking: what you type there is not read, kept or sent. '
      + 'It goes on by itself when it is done.'
    : asked.red ? 'This needs more than a yes.' : 'Nothing is pressed unless you say yes.';
  part('.typed').hidden = !asked.red;
  part('label').htmlFor = field.id;
  part('label').textContent = `Type ${asked.red} to say yes`;
  if (handsOver) {
    part('.no').textContent = 'Stop';
    yes.textContent = 'I have done it';
  }
  const until = new Date(Date.now() + asked.seconds * 1000).toLocaleTimeString([], { timeStyle: 'short' });
  part('.until').textContent = `Without an answer by ${until} it is a no.`;

  let ready = false;
  const renew = () => { yes.disabled = !ready || !isTyped(asked.red, field.value); };
  const close = (words, agreed) => {
    for (const control of element.querySelectorAll('button, input')) control.disabled = true;
    answer(words, agreed);
  };
  field.addEventListener('input', renew);
  yes.addEventListener('click', (event) => {
    // Only a press of a person counts.
    if (event.isTrusted && !yes.disabled) close(handsOver ? 'done' : asked.red ? field.value : 'yes', true);
  });
  part('form').addEventListener('submit', (event) => {
    event.preventDefault();
    // Enter in a field that holds something is neither: the buttons say which is meant.
    if (document.activeElement === field && field.value.trim()) return (yes.disabled ? field : yes).focus();
    close('', false);
  });
  part('.look').addEventListener('click', look);
  renew();

  return {
    element,
    begin() {
      // What it leads to is read first; the button that is safe to press has the keyboard.
      part('.no').focus({ preventScroll: true });
      element.scrollIntoView({ block: 'start' });
      setTimeout(() => { ready = true; renew(); }, SETTLED_MS);
    },
  };
}

/** The program judges again; this only keeps a slip from being a no. */
function isTyped(red, typed) {
  if (!red) return true;
  const plain = (words) => words.replace(/\s+/g, '').toLowerCase();
  const number = red.match(/\d[\d.,]*/)?.[0] ?? red;
  return [red, number].map(plain).includes(plain(typed));
}

function factOf([label, value]) {
  const words = document.createElement('dd');
  words.textContent = value;
  if (!label) {
    words.className = 'more';
    return [words];
  }
  const name = document.createElement('dt');
  name.textContent = label;
  return [name, words];
}
