/** How long the whole may take to stop. */
const deadlineMs = 15_000;
const lingerMs = 2_000;

/** What was started, to be stopped in the reverse order, all within one deadline. */
export class Shutdown {
  readonly #steps: { readonly name: string; readonly stop: () => void | Promise<void> }[] = [];

  add(name: string, stop: () => void | Promise<void>): void {
    this.#steps.push({ name, stop });
  }

  /** Stops everything. A step that fails is named and does not keep the others from stopping. */
  async run(): Promise<void> {
    let current = '';
    const timer = setTimeout(() => {
      console.error(
        `fairlead: ${current} did not stop in ${deadlineMs / 1000} s: ending anyway; what was answered is safe`,
      );
      process.exit(1);
    }, deadlineMs);
    for (const { name, stop } of this.#steps.toReversed()) {
      current = name;
      try {
        await stop();
      } catch (error) {
        console.error(`fairlead: ${name} did not stop cleanly: ${(error as Error).message}`);
      }
    }
    clearTimeout(timer);
    // All that matters has stopped. Whatever still holds the process may not hold it for long.
    setTimeout(() => process.exit(), lingerMs).unref();
  }
}
