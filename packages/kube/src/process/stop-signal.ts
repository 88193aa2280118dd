/**
 * Aborts on Ctrl-C or SIGTERM. A second signal after a moment ends the process at once. Two signals closer than `togetherMs` count as one,
 * because a terminal and npm both forward Ctrl-C.
 */
export function stopSignal({ togetherMs = 1_000 }: { readonly togetherMs?: number } = {}): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const stop = (name: NodeJS.Signals): void => {
    if (!controller.signal.aborted) {
      first = Date.now();
      controller.abort(new Error(`received ${name}`));
    } else if (Date.now() - first > togetherMs) process.exit(130);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  return controller.signal;
}
