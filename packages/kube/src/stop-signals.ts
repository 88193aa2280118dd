/** Aborts on the first SIGTERM or SIGINT; a second one ends the process at once, for whoever has no patience. */
export function stopSignal(names: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']): AbortSignal {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Error(`received ${name}`));
  };
  for (const name of names) process.on(name, stop);
  return controller.signal;
}
