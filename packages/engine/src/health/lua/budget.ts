import { LuaLimit } from './values.ts';

export interface Limits {
  readonly timeMs: number;
  /** Statements, calls and loop iterations. */
  readonly steps: number;
  /** The approximate size of created strings and tables, in bytes and entries. */
  readonly memory: number;
  readonly now: () => number;
}

/** The remaining budget of a script. Everything that can run forever consumes it. */
export class Budget {
  readonly #limits: Limits;
  readonly #end: number;
  #steps = 0;
  #memory = 0;
  depth = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#end = limits.now() + limits.timeMs;
  }

  step(): void {
    this.#steps += 1;
    if (this.#steps > this.#limits.steps) throw new LuaLimit(`it takes more than ${this.#limits.steps} steps`);
    if (this.#steps % 1024 === 0) this.checkTime();
  }

  checkTime(): void {
    if (this.#limits.now() > this.#end) throw new LuaLimit(`it did not end within ${this.#limits.timeMs / 1000} s`);
  }

  /** Consumed before the memory is allocated. */
  allocate(bytes: number): void {
    this.#memory += bytes;
    if (this.#memory > this.#limits.memory) {
      throw new LuaLimit(`it needs more than ${Math.round(this.#limits.memory / 1024 ** 2)} MiB of memory`);
    }
  }
}
