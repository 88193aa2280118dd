import { Lanes, RecentActivity } from '@fairlead/kube';

export interface FairTurnsOptions {
  /** From when on, in one turn of the loop, further requests wait. */
  readonly turnMs?: number;
  /** Of those that wait, so many are served between two looks at what else has come. */
  readonly perTurn?: number;
  /** How long a crowd leaves each of its places empty while others are there too. */
  readonly restMs?: number;
  readonly now?: () => number;
}

/** From so many waiting requests on, those of one user in one namespace are a crowd. */
const crowdAbove = 32;

/**
 * Fair turns between those who ask. The loop serves whatever has arrived before it looks again, so a hundred requests of one client are a
 * hundred steps that everyone else waits for. Once a turn of the loop has lasted long enough, what comes waits here instead, and is served
 * a few at a time: users in turn, and the namespaces of each. A crowd of one user's in one namespace also leaves the server some rest, as
 * long as it is not alone: others' requests need more than their turn here. While there is no crowd, nothing waits.
 */
export class FairTurns {
  readonly #turnMs: number;
  readonly #perTurn: number;
  readonly #restMs: number;
  readonly #now: () => number;
  readonly #activity = new RecentActivity();
  readonly #waiting = new Map<string, () => void>();
  /** How many of those that wait are of one user in one namespace. */
  readonly #waitingOf = new Map<string, number>();
  readonly #lanes: Lanes;
  #began: number | undefined;
  #numbers = 0;
  #serving = 0;

  constructor({ turnMs = 4, perTurn = 8, restMs = 50, now = () => performance.now() }: FairTurnsOptions = {}) {
    this.#turnMs = turnMs;
    this.#perTurn = perTurn;
    this.#restMs = restMs;
    this.#now = now;
    this.#lanes = new Lanes({
      laneOf: userOf,
      within: () => new Lanes({ laneOf: namespaceOf, limits: () => ({ maxInFlight: perTurn }) }),
    });
  }

  /** Undefined when the request may be served at once. */
  admit(user: string, namespace: string): Promise<void> | undefined {
    const now = this.#now();
    const flow = `${user}\n${namespace}`;
    const othersActive = this.#activity.record(flow, now);
    if (this.#waiting.size === 0 && this.#isShort(now)) return undefined;
    this.#numbers += 1;
    const key = `${flow}\n${this.#numbers}`;
    const before = this.#waitingOf.get(flow) ?? 0;
    this.#waitingOf.set(flow, before + 1);
    const isCrowd = othersActive && before > crowdAbove;
    return new Promise((resolve) => {
      this.#waiting.set(key, () => {
        this.#served(flow);
        resolve();
        if (isCrowd) setTimeout(() => this.#leave(key), this.#restMs);
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

  /** Each in an immediate of its own: what it does at once is done before the next begins, and the loop looks around after the last. */
  #serve(): void {
    while (this.#serving < Math.min(this.#perTurn, this.#waiting.size)) {
      this.#serving += 1;
      setImmediate(() => {
        this.#serving -= 1;
        if (this.#next()) this.#serve();
      });
    }
  }

  /** False when every one that waits is of a crowd that rests. */
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
