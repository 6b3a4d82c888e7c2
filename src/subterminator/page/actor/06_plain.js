// A form whose fields are named like DOM properties ("DOM clobbering") overrides its own, even in our world. What
// may be a form is read through this.

function memberOf(form, name) {
  for (let at = HTMLFormElement.prototype; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found?.get) return found.get.call(form);
    if (found) return typeof found.value === 'function' ? found.value.bind(form) : found.value;
  }
  return undefined;
}

const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
const folded = (text) => squeezed(text).toLowerCase();

const plain = (element) => element instanceof HTMLFormElement
  ? new Proxy({}, { get: (_, name) => memberOf(element, name) })
  : element;
