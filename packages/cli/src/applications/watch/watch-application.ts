import { type Application, applicationKind } from '@fairlead/api';
import { type ApiClient, type Clock, sleep, systemClock, TransportError } from '@fairlead/kube';
import { type ApplicationKey, lookUp } from '../selection/find-application.ts';

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** How long to wait for an event before reading anyway. */
  readonly pollMs?: number;
  /** How long the cluster may be unreachable. */
  readonly patienceMs?: number;
}

/**
 * Yields the Application now and whenever it may have changed; undefined if it does not exist.
 *
 * An event only triggers a read: the state is read from the server each time, and also without events. A lost, rejected or delayed watch
 * costs at most `pollMs`.
 */
export async function* follow(
  client: Pick<ApiClient, 'get' | 'watch'>,
  key: ApplicationKey,
  { signal, clock = systemClock, pollMs = 2_000, patienceMs = 30_000 }: FollowOptions,
): AsyncGenerator<Application | undefined> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const bell = new Bell(clock);
  void ring(client, key, bell, both, clock);
  let away: number | undefined;
  try {
    while (!signal.aborted) {
      bell.quiet();
      try {
        const seen = await lookUp(client, key, both);
        away = undefined;
        yield seen;
      } catch (error) {
        if (signal.aborted) return;
        away ??= clock.now();
        if (!(error instanceof TransportError) || clock.now() - away > patienceMs) throw error;
      }
      await bell.rung(pollMs, signal);
    }
  } finally {
    ended.abort();
  }
}

/** Rings for each event until the signal aborts; restarts a watch that ends. */
async function ring(
  client: Pick<ApiClient, 'watch'>,
  { namespace, name }: ApplicationKey,
  bell: Bell,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const options = { namespace, fieldSelector: `metadata.name=${name}`, signal };
      for await (const event of client.watch(applicationKind.type, options)) {
        if (event.type === 'ERROR') break;
        bell.ring();
      }
    } catch {
      // Polling is enough.
    }
    await sleep(clock, 1_000, signal).catch(() => {});
  }
}

/** Set if an event arrived since the last read. */
class Bell {
  readonly #clock: Clock;
  #ringing = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  quiet(): void {
    this.#ringing = false;
  }

  ring(): void {
    this.#ringing = true;
    this.#wake?.();
  }

  rung(withinMs: number, signal: AbortSignal): Promise<void> {
    if (this.#ringing || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        signal.removeEventListener('abort', done);
        this.#wake = undefined;
        resolve();
      };
      const cancel = this.#clock.after(withinMs, done);
      signal.addEventListener('abort', done, { once: true });
      this.#wake = done;
    });
  }
}
