import type { ShutdownSequence } from './shutdown-sequence.ts';

/** How long the whole shutdown may take. */
const deadlineMs = 15_000;
const lingerMs = 2_000;

/** Stops everything that a command has started, and exits soon. */
export async function shutDown(started: ShutdownSequence): Promise<void> {
  await stopAll(started);
  endSoon();
}

/** Stops everything that has been started, with one deadline after which the process exits: what was started must not continue. */
export async function stopAll(started: ShutdownSequence): Promise<void> {
  let current = '';
  const timer = setTimeout(() => {
    console.error(
      `fairlead: ${current} did not stop in ${deadlineMs / 1000} s: exiting anyway; acknowledged writes are safe`,
    );
    process.exit(1);
  }, deadlineMs);
  await started.stop((name) => (current = name));
  clearTimeout(timer);
}

/** Exits soon, even if something still keeps the process alive. */
export function endSoon(): void {
  setTimeout(() => process.exit(), lingerMs).unref();
}
