import { Lanes, RecentActivity } from '@fairlead/kube';

export interface RequestThrottleOptions {
  /** After this much time in one iteration of the event loop, further requests wait. */
  readonly turnMs?: number;
  /** How many waiting requests are served per iteration. */
  readonly perTurn?: number;
  /** How long a flood leaves each of its slots empty while others are active. */
  readonly restMs?: number;
  readonly now?: () => number;
}

/** More waiting requests than this of one user in one namespace are a flood. */
const floodAbove = 32;

/**
 * Fairness between clients. The event loop serves all requests that have arrived before it reads new ones, so a hundred requests of one
 * client delay all others by a hundred steps. Once one iteration of the loop has lasted `turnMs`, further requests wait here and are served
 * a few at a time: round-robin by user, and by namespace within a user. A flood of one user in one namespace also leaves its slots empty
 * for `restMs` while others are active: their requests need more of the server than a slot here. Without a flood no request waits.
 */
export class RequestThrottle {
  readonly #turnMs: number;
  readonly #perTurn: number;
  readonly #restMs: number;
  readonly #now: () => number;
  readonly #activity = new RecentActivity();
  readonly #waiting = new Map<string, () => void>();
  /** The number of waiting requests of one user in one namespace. */
  readonly #waitingOf = new Map<string, number>();
  readonly #lanes: Lanes;
  #began: number | undefined;
  #numbers = 0;
  #serving = 0;

  constructor({ turnMs = 4, perTurn = 8, restMs = 50, now = () => performance.now() }: RequestThrottleOptions = {}) {
    this.#turnMs = turnMs;
    this.#perTurn = perTurn;
    this.#restMs = restMs;
    this.#now = now;
    this.#lanes = new Lanes({
      laneOf: userOf,
      within: () => new Lanes({ laneOf: namespaceOf, limits: () => ({ maxInFlight: perTurn }) }),
    });
  }

  /** Undefined if the request may be served at once. */
  admit(user: string, namespace: string): Promise<void> | undefined {
    const now = this.#now();
    const flow = `${user}\n${namespace}`;
    const othersActive = this.#activity.record(flow, now);
    if (this.#waiting.size === 0 && this.#isShort(now)) return undefined;
    this.#numbers += 1;
    const key = `${flow}\n${this.#numbers}`;
    const before = this.#waitingOf.get(flow) ?? 0;
    this.#waitingOf.set(flow, before + 1);
    const isFlood = othersActive && before > floodAbove;
    return new Promise((resolve) => {
      this.#waiting.set(key, () => {
        this.#served(flow);
        resolve();
        if (isFlood) setTimeout(() => this.#leave(key), this.#restMs);
        else this.#leave(key);
      });
      this.#lanes.push(key, 0);
      this.#serve();
    });
  }

  #isShort(now: number): boolean {
    if (this.#began !== undefined) return now - this.#began < this.#turnMs;
    this.#began = now;
    setImmediate(() => {
      this.#began = undefined;
    });
    return true;
  }

  /** Each in a separate immediate: its synchronous part is done before the next starts, and the loop polls for I/O after the last. */
  #serve(): void {
    while (this.#serving < Math.min(this.#perTurn, this.#waiting.size)) {
      this.#serving += 1;
      setImmediate(() => {
        this.#serving -= 1;
        if (this.#next()) this.#serve();
      });
    }
  }

  /** False if all waiting requests belong to floods that pause. */
  #next(): boolean {
    const key = this.#lanes.pop();
    if (key === undefined) return false;
    const serve = this.#waiting.get(key)!;
    this.#waiting.delete(key);
    serve();
    return true;
  }

  #served(flow: string): void {
    const left = this.#waitingOf.get(flow)! - 1;
    if (left > 0) this.#waitingOf.set(flow, left);
    else this.#waitingOf.delete(flow);
  }

  #leave(key: string): void {
    this.#lanes.done(key);
    this.#serve();
  }
}

const userOf = (key: string): string => key.slice(0, key.indexOf('\n'));
const namespaceOf = (key: string): string => key.slice(key.indexOf('\n') + 1, key.lastIndexOf('\n'));
