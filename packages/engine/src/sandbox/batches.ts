/**
 * Collects the requests of one turn of the event loop, and runs those with the same program and lane together: one round trip to a sandbox
 * costs as much as dozens of objects.
 */
export class Batches<Item> {
  readonly #run: (lane: string, program: string, items: readonly Item[]) => void;
  readonly #waiting = new Map<string, Map<string, Item[]>>();

  constructor(run: (lane: string, program: string, items: readonly Item[]) => void) {
    this.#run = run;
  }

  add(lane: string, program: string, item: Item): void {
    if (this.#waiting.size === 0) setImmediate(() => this.#flush());
    const programs = this.#waiting.get(lane) ?? new Map<string, Item[]>();
    this.#waiting.set(lane, programs);
    const items = programs.get(program);
    if (items) items.push(item);
    else programs.set(program, [item]);
  }

  #flush(): void {
    const lanes = [...this.#waiting];
    this.#waiting.clear();
    for (const [lane, programs] of lanes) {
      for (const [program, items] of programs) {
        for (let i = 0; i < items.length; i += largestBatch) this.#run(lane, program, items.slice(i, i + largestBatch));
      }
    }
  }
}

const largestBatch = 200;

/** A program that exceeds its limit for this many objects in a row is not tried with further ones. */
export const maxExceeded = 3;

/** Scripts and expressions take less than a millisecond for most objects. One that takes this long gets a lower priority. */
export const longScriptMs = 200;
