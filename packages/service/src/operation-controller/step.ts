/** The result of one attempt at an Operation. The event that it waits for triggers the next attempt. */
export type Step =
  | { readonly kind: 'reached'; readonly gone?: true }
  | { readonly kind: 'waits'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

export const reached: Step = { kind: 'reached' };
/** Reached by no longer existing. */
export const gone: Step = { kind: 'reached', gone: true };
export const waits = (message: string): Step => ({ kind: 'waits', message });
export const failed = (message: string): Step => ({ kind: 'failed', message });
