/** The nonce of the page for style sheets that libraries insert. */
export const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';

// Radix inserts a style sheet while a dialog is open, and reads the nonce from this name.
Reflect.set(globalThis, '__webpack_nonce__', nonce);
