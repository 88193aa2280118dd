import { getOrCreate } from '@fairlead/apimachinery';

/** A lane of fetches, and how many of it run at a time. */
export interface FetchLane {
  readonly name: string;
  readonly slots: number;
}

interface Waiting {
  readonly lanes: readonly FetchLane[];
  start(): void;
}

/**
 * Runs at most `slots` fetches at a time, and per lane of a fetch at most as many as the lane has slots. A fetch whose lanes are full does
 * not block later ones of other lanes: servers that never respond use only the slots of their lanes.
 */
export class FetchLanes {
  readonly #slots: number;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #total = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  async run<T>(lanes: readonly FetchLane[], fetch: () => Promise<T>): Promise<T> {
    if (!this.#hasRoom(lanes)) await new Promise<void>((start) => this.#waiting.push({ lanes, start }));
    else this.#count(lanes, 1);
    try {
      return await fetch();
    } finally {
      this.#count(lanes, -1);
      this.#startNext();
    }
  }

  #hasRoom(lanes: readonly FetchLane[]): boolean {
    return this.#total < this.#slots && lanes.every(({ name, slots }) => (this.#running.get(name) ?? 0) < slots);
  }

  #count(lanes: readonly FetchLane[], change: 1 | -1): void {
    this.#total += change;
    for (const { name } of lanes) {
      const running = getOrCreate(this.#running, name, () => 0) + change;
      if (running === 0) this.#running.delete(name);
      else this.#running.set(name, running);
    }
  }

  #startNext(): void {
    const index = this.#waiting.findIndex(({ lanes }) => this.#hasRoom(lanes));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!next) return;
    this.#count(next.lanes, 1);
    next.start();
  }
}
