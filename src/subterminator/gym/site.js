// What every page of the gym does by itself. Names written as §name differ from seed to seed.
(() => {
  const base = `/${location.pathname.split('/')[1]}`;
  const sid = new URLSearchParams(location.search).get('sid');
  const here = (path, more = '') =>
    `${base}/${path}?${more}${sid ? `&sid=${encodeURIComponent(sid)}` : ''}`;
  const WRITTEN = 'input:not([type=radio],[type=checkbox],[type=submit],[type=button]),textarea,select';
  const BOX = ':is([role=button],[role=link],[role=tab],[role=switch])[tabindex]';
  const inside = (event, selector) =>
    event.composedPath().find((node) => node.matches?.(selector));

  // Telemetry: what was pressed and which field was changed, never what was typed.
  const tell = (kind, element) => {
    const label = element.labels?.[0]?.innerText || element.getAttribute('aria-label');
    const shown = element.type === 'submit' ? element.value : '';
    const words = (label || shown || element.innerText || element.tagName).trim().slice(0, 80);
    const text = JSON.stringify({ kind, words, page: location.pathname });
    if (!navigator.sendBeacon(here('seen'), text))
      fetch(here('seen'), { method: 'POST', body: text, keepalive: true });
  };
  document.addEventListener('click', (event) => {
    const target = event.composedPath()[0];
    if (target.closest(WRITTEN)) return; // Told when it changes.
    const label = target.closest('label');
    if (label?.control && label.control !== target) return; // A click on its control follows.
    tell('click', target.closest('a,button,input,[role]') || target);
  }, true);
  document.addEventListener('change', (event) => {
    const field = event.composedPath()[0];
    if (field.matches(WRITTEN)) tell('edit', field);
  }, true);

  const awake = (element, on) => {
    if ('disabled' in element) element.disabled = !on;
    else if (on) element.removeAttribute('aria-disabled');
    else element.setAttribute('aria-disabled', 'true');
  };
  const asleep = (element) => element.getAttribute('aria-disabled') === 'true';

  // Buttons and links that are not <button> and <a>.
  document.addEventListener('click', (event) => {
    const press = inside(event, '[data-§press]');
    if (press && !asleep(press)) press.closest('form').requestSubmit();
    const go = inside(event, '[data-§go]');
    if (go) location.href = go.getAttribute('data-§go');
  });
  document.addEventListener('keydown', (event) => {
    const target = event.composedPath()[0];
    if (['Enter', ' '].includes(event.key) && target.matches?.(BOX)) {
      event.preventDefault();
      target.click();
    }
  });

  // Buttons that sleep: for a time, or until something is chosen.
  for (const element of document.querySelectorAll('[data-§after]'))
    setTimeout(() => awake(element, true), 1000 * Number(element.getAttribute('data-§after')));
  for (const form of document.querySelectorAll('form[data-§needs]')) {
    const name = form.getAttribute('data-§needs');
    const check = () =>
      awake(form.querySelector('[data-§submit]'), !!form.querySelector(`[name="${name}"]:checked`));
    form.addEventListener('change', check);
    addEventListener('pageshow', check);
    check();
  }
  for (const box of document.querySelectorAll('[data-§sends]'))
    box.addEventListener('change', () => box.form.requestSubmit());
  for (const slider of document.querySelectorAll('[data-§says]'))
    slider.addEventListener('input', () => {
      const words = slider.getAttribute('data-§says').replace('#', slider.value);
      const button = slider.form.querySelector('[data-§submit]');
      if (button.matches('input')) button.value = words;
      else button.textContent = words;
    });

  // Menus and dialogs.
  const menus = document.querySelectorAll('[data-§menu]');
  const fold = (button, open) => {
    button.setAttribute('aria-expanded', String(open));
    button.nextElementSibling.hidden = !open;
  };
  document.addEventListener('click', (event) => {
    const pressed = inside(event, '[data-§menu]');
    for (const button of menus)
      fold(button, button === pressed && button.getAttribute('aria-expanded') !== 'true');
  });
  document.addEventListener('click', (event) => {
    const leaf = inside(event, '[data-§fold]');
    if (leaf) {
      const open = leaf.getAttribute('aria-expanded') !== 'true';
      leaf.setAttribute('aria-expanded', String(open));
      document.getElementById(leaf.getAttribute('aria-controls')).hidden = !open;
    }
    const tab = inside(event, '[data-§tab]');
    for (const each of tab ? tab.closest('[role=tablist]').querySelectorAll('[role=tab]') : []) {
      each.setAttribute('aria-selected', String(each === tab));
      document.getElementById(each.getAttribute('aria-controls')).hidden = each !== tab;
    }
  });
  const shut = (box) => (box.close ? box.close() : (box.hidden = true));
  document.addEventListener('click', (event) => {
    const opener = inside(event, '[data-§open]');
    if (opener) {
      const box = document.getElementById(opener.getAttribute('data-§open'));
      if (box.showModal) box.showModal();
      else {
        box.hidden = false;
        box.querySelector('[role=dialog]').focus();
      }
    }
    const closer = inside(event, '[data-§shut]');
    if (closer) shut(closer.closest('[data-§dialog]'));
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const button of menus) fold(button, false);
    for (const box of document.querySelectorAll('div[data-§dialog]')) box.hidden = true;
  });

  // The cookie question.
  document.addEventListener('click', (event) => {
    const answer = inside(event, '[data-§cookies]');
    if (!answer) return;
    const body = new URLSearchParams({ answer: answer.getAttribute('data-§cookies') });
    fetch(here('cookies'), { method: 'POST', body, keepalive: true });
    document.getElementById('§cookiebox').remove();
  });

  // Goes on by itself once the person has done what only a person may do.
  const waiting = document.querySelector('[data-§await]')?.getAttribute('data-§await');
  const ask = async () => {
    try {
      const answer = await fetch(here('ready', `kind=${waiting}`));
      if ((await answer.json()).done) return location.reload();
    } catch {
      // The server is away for a moment; the next question will tell.
    }
    setTimeout(ask, 600);
  };
  if (waiting) setTimeout(ask, 600);
})();
