/**
 * Calls `act` when the signal aborts, or at once if it already has: a listener that is added too late is never called, and its caller would
 * wait forever. The returned function removes the listener.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => {};
  }
  const listener = (): void => act();
  const added = listeners.get(signal) ?? listenTo(signal);
  added.add(listener);
  return () => added.delete(listener);
}

/**
 * The platform compares each new listener of a signal with all existing ones, and thousands of keys may wait for one signal: it gets only
 * one listener.
 */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

function listenTo(signal: AbortSignal): Set<() => void> {
  const added = new Set<() => void>();
  listeners.set(signal, added);
  signal.addEventListener(
    'abort',
    () => {
      for (const listener of added) listener();
    },
    { once: true },
  );
  return added;
}

/** Resolves once the signal has aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    onAbort(signal, resolve);
  });

/** The result of the promise, or the reason of the signal if that aborts first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const removeListener = onAbort(signal, () => reject(signal.reason));
    promise.then(
      (value) => {
        removeListener();
        resolve(value);
      },
      (error: unknown) => {
        removeListener();
        reject(error);
      },
    );
  });
}
