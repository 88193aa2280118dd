import { messageOf } from '@fairlead/apimachinery';
import { aborted, onAbort } from '../abort.ts';
import type { InformerFactory } from '../cache/informer-factory.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { LeaderElector } from '../leader-election/leader-election.ts';
import { LostLeaseError } from '../leader-election/lost-lease-error.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { MetricsRegistry } from '../metrics/metrics.ts';
import { type HealthCheck, type StatusServer, startStatusServer } from '../metrics/status-server.ts';

/** Something that runs until its signal aborts, and has stopped when its promise resolves: a controller, a loop, a server. */
export interface Runnable {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

export interface ManagerOptions {
  readonly informers?: InformerFactory;
  /** Without it, there is no leader election: this process is the only replica. */
  readonly elector?: LeaderElector;
  readonly registry?: MetricsRegistry;
  /** The address of `/healthz`, `/readyz` and `/metrics`; not served if not given. */
  readonly status?: { readonly host?: string; readonly port: number };
  /** The deadline for a complete stop; 30 s by default. */
  readonly stopMs?: number;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/**
 * Starts and stops the runnables of a process in order.
 *
 * - Up: status server, informers, their sync, runnables for every replica, then (once this process is the leader) the others.
 * - Down, in the reverse order, each step only when the one before has ended, all within one deadline.
 * - A runnable that fails stops the manager: `run` rejects, and the process should exit and be restarted.
 * - After a lost lease, the runnables of the leader end, and this replica stands by until it leads again. If they do not end in time, the
 *   manager stops, because work that was started as the leader must not continue.
 */
export class Manager {
  readonly registry: MetricsRegistry;
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #everywhere: Runnable[] = [];
  readonly #leading: Runnable[] = [];
  readonly #live = new Map<string, HealthCheck>([['ping', () => undefined]]);
  readonly #ready = new Map<string, HealthCheck>();
  /** Started and not yet ended runnables, for the message when the deadline passes. */
  readonly #active = new Set<string>();
  #statusServer: StatusServer | undefined;

  constructor(options: ManagerOptions = {}) {
    this.#options = options;
    this.registry = options.registry ?? new MetricsRegistry();
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLogger;
    const { informers } = options;
    if (informers) this.#ready.set('informers', () => (informers.hasSynced ? undefined : 'not all have synced'));
  }

  /** Runs on the leader, or on this replica if there is no election. */
  add(...runnables: Runnable[]): this {
    this.#leading.push(...runnables);
    return this;
  }

  /** Runs on every replica. */
  addEverywhere(...runnables: Runnable[]): this {
    this.#everywhere.push(...runnables);
    return this;
  }

  addLiveness(name: string, check: HealthCheck): this {
    this.#live.set(name, check);
    return this;
  }

  addReadiness(name: string, check: HealthCheck): this {
    this.#ready.set(name, check);
    return this;
  }

  /** The port of the status server, once it listens. */
  get statusPort(): number | undefined {
    return this.#statusServer?.port;
  }

  /** Runs until the signal aborts or a runnable fails. Resolves once everything has stopped. */
  async run(signal: AbortSignal): Promise<void> {
    const { status, informers, stopMs = 30_000 } = this.#options;
    const stages = { informers: new AbortController(), work: new AbortController() };
    let failure: { readonly error: unknown } | undefined;
    const fail = (error: unknown) => {
      failure ??= { error };
      stages.work.abort(error);
    };
    const removeListener = onAbort(signal, () => stages.work.abort(signal.reason));
    if (status) {
      const { registry } = this;
      this.#statusServer = await startStatusServer({ ...status, registry, live: this.#live, ready: this.#ready });
    }
    const whole = this.#work(stages.informers.signal, stages.work.signal, fail).then(async () => {
      stages.informers.abort();
      await informers?.stopped();
      await this.#statusServer?.close();
    });
    await this.#withinDeadline(whole, stages.work.signal, stopMs);
    removeListener();
    if (failure) throw failure.error;
  }

  async #work(informing: AbortSignal, working: AbortSignal, fail: (error: unknown) => void): Promise<void> {
    const { informers, elector } = this.#options;
    informers?.start(informing);
    try {
      await informers?.waitForSync(working);
    } catch {
      return;
    }
    this.#log.info('informers have synced');
    const everywhere = this.#runAll(this.#everywhere, working, fail);
    if (!elector) await this.#runAll(this.#leading, working, fail);
    else {
      const lead = (term: AbortSignal): Promise<void> => this.#lead(term, working, fail);
      while ((await elector.run(working, lead).catch(fail)) === 'lost' && !working.aborted) {
        this.#log.warn('the lease was lost: standing by until this replica leads again');
      }
    }
    await everywhere;
  }

  async #lead(term: AbortSignal, working: AbortSignal, fail: (error: unknown) => void): Promise<void> {
    let cancel = () => {};
    const disarm = onAbort(term, () => {
      if (working.aborted) return;
      cancel = this.#clock.after(this.#options.stopMs ?? 30_000, () => fail(new LostLeaseError()));
    });
    await this.#runAll(this.#leading, term, fail);
    disarm();
    cancel();
  }

  async #runAll(runnables: readonly Runnable[], signal: AbortSignal, fail: (error: unknown) => void): Promise<void> {
    const runs = runnables.map(async (runnable) => {
      this.#active.add(runnable.name);
      try {
        await runnable.run(signal);
      } catch (error) {
        if (!signal.aborted) fail(new Error(`${runnable.name} failed: ${messageOf(error)}`, { cause: error }));
      } finally {
        this.#active.delete(runnable.name);
      }
    });
    // Also after all of them have ended: informers and health are still served.
    await Promise.all([aborted(signal), ...runs]);
  }

  #withinDeadline(whole: Promise<void>, stopping: AbortSignal, stopMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let cancel = () => {};
      const arm = () => {
        cancel = this.#clock.after(stopMs, () => {
          const left = [...this.#active].join(', ') || 'the informers';
          reject(new Error(`did not stop within ${stopMs} ms: ${left}`));
        });
      };
      const disarm = onAbort(stopping, arm);
      whole.then(resolve, reject).finally(() => {
        disarm();
        cancel();
      });
    });
  }
}
