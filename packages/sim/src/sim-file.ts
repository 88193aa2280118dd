import type { SimProcess } from './sim-process.ts';

/** The point of a write at which its process crashes. */
export type WritePoint = 'before' | 'torn' | 'after';

const writeMs = 3;
const pastWrites = 8;

/**
 * A file that outlives the processes that write it. A write is a step of its process and takes time: after a crash in between, nothing, a
 * part, or all of an `append` is written, and nothing or all of a `replace`.
 */
export class SimFile {
  text: string | undefined;
  /** The content after each of the last writes: no process syncs it, so any of these may remain after a power loss. */
  readonly #past: (string | undefined)[] = [];
  /** Called at each point of each write; a process that crashes there does not reach the next one. */
  onWrite: (point: WritePoint, process: SimProcess) => void = () => {};

  /** The machine loses power: some or all of the last unsynced writes are lost. */
  losePower(pick: <T>(items: readonly T[]) => T): void {
    if (this.#past.length > 0) this.text = pick([...this.#past, this.text]);
    this.#past.length = 0;
  }

  /** The file from the view of one process. */
  of(process: SimProcess): {
    read(): string | undefined;
    append(text: string): Promise<void>;
    replace(text: string): Promise<void>;
  } {
    return {
      read: () => this.text,
      append: (text) =>
        this.#write(process, [
          () => (this.text = (this.text ?? '') + text.slice(0, text.length / 2)),
          () => (this.text = (this.text ?? '') + text.slice(text.length / 2)),
        ]),
      replace: (text) => this.#write(process, [() => {}, () => (this.text = text)]),
    };
  }

  /** Never settles after its process has crashed. */
  #write(process: SimProcess, [half, rest]: readonly [() => void, () => void]): Promise<void> {
    return new Promise((resolve) => {
      this.onWrite('before', process);
      if (!process.step('writing a file')) return;
      this.#past.push(this.text);
      if (this.#past.length > pastWrites) this.#past.shift();
      process.after(writeMs, () => {
        half();
        this.onWrite('torn', process);
        process.after(writeMs, () => {
          rest();
          this.onWrite('after', process);
          if (!process.crashed) resolve();
        });
      });
    });
  }
}
