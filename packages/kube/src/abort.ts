/**
 * Calls `act` when the signal aborts, and at once when it has: a listener that is added a moment too late is never
 * called, and its caller would wait forever. The returned function removes the listener.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => {};
  }
  const listener = (): void => act();
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Resolves once the signal has aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    onAbort(signal, resolve);
  });
