import type { ShutdownSequence } from './shutdown-sequence.ts';

/** How long the whole may take to stop. */
const deadlineMs = 15_000;
const lingerMs = 2_000;

/** Stops all that a command has started within one deadline, and lets nothing that is left hold the process. */
export async function shutDown(started: ShutdownSequence): Promise<void> {
  let current = '';
  const timer = setTimeout(() => {
    console.error(
      `fairlead: ${current} did not stop in ${deadlineMs / 1000} s: ending anyway; what was answered is safe`,
    );
    process.exit(1);
  }, deadlineMs);
  await started.stop((name) => (current = name));
  clearTimeout(timer);
  endSoon();
}

/** All that matters has been done. Whatever still holds the process may not hold it for long. */
export function endSoon(): void {
  setTimeout(() => process.exit(), lingerMs).unref();
}
