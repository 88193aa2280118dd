import { getOrCreate } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { ImagesError } from '../images-error.ts';

/** How long a computation may go on before it yields to other work of the process. */
const sliceMs = 10;

interface Computation {
  /** Goes on for a slice, and returns whether the computation has ended. */
  advance(): boolean;
}

/**
 * Runs computations on tags with patterns of tenants, so that none blocks the event loop.
 *
 * - One slice at a time, and then all other work of the process: the number of computations does not matter.
 * - Lanes take turns, so those of one tenant delay another by a slice.
 * - A computation that takes longer than `imageSelectionMs` fails.
 */
export class TimeSlices {
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Computation[]>();
  readonly #maxMs: number;
  #isScheduled = false;

  constructor(maxMs: number = limits.imageSelectionMs) {
    this.#maxMs = maxMs;
  }

  run<T>(lane: string, steps: Generator<void, T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let usedMs = 0;
      const advance = (): boolean => {
        const began = performance.now();
        try {
          for (let elapsed = 0; elapsed < sliceMs; elapsed = performance.now() - began) {
            const step = steps.next();
            if (!step.done) continue;
            resolve(step.value);
            return true;
          }
          usedMs += performance.now() - began;
          if (usedMs > this.#maxMs) throw tooSlow(this.#maxMs);
          return false;
        } catch (error) {
          reject(error);
          return true;
        }
      };
      getOrCreate(this.#lanes, lane, () => []).push({ advance });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#lanes.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#nextTurn();
      this.#schedule();
    });
  }

  #nextTurn(): void {
    for (const [lane, waiting] of this.#lanes) {
      this.#lanes.delete(lane);
      if (waiting[0]?.advance()) waiting.shift();
      if (waiting.length > 0) this.#lanes.set(lane, waiting);
      return;
    }
  }
}

const tooSlow = (maxMs: number): ImagesError =>
  new ImagesError(
    'InvalidFilter',
    `comparing the tags took longer than ${maxMs / 1000} s (limit imageSelectionMs): simplify allow-tags and ignore-tags, or remove old tags`,
  );
