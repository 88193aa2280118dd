import { nonce } from '../../../lib/nonce.ts';

/**
 * Style sheets that are created meanwhile carry the nonce of the page: xterm.js inserts some when it is opened, which the
 * Content-Security-Policy would refuse, and has no option for it.
 */
export function withNonce(open: () => void): void {
  const create = document.createElement.bind(document);
  document.createElement = (tag: string, options?: ElementCreationOptions): HTMLElement => {
    const element = create(tag, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  try {
    open();
  } finally {
    // The method of the prototype is found again.
    Reflect.deleteProperty(document, 'createElement');
  }
}
