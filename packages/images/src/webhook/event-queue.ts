import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep, systemClock } from '@fairlead/kube';
import type { ImageEvent } from './event.ts';

const retryMs = 2_000;
const maxBatches = 32;

interface Stored {
  readonly file: string;
  readonly events: readonly ImageEvent[];
}

/** Events are stored in files until they are processed: a crash after the 200 response to a registry does not lose them. */
export class EventQueue {
  readonly #dir: string;
  #serial = 0;
  #waiting: Stored[] = [];
  #wake: (() => void) | undefined;

  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#waiting = readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .flatMap((name) => {
        try {
          return [{ file: join(dir, name), events: JSON.parse(readFileSync(join(dir, name), 'utf8')) as ImageEvent[] }];
        } catch {
          return [];
        }
      });
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Resolves when the events are on disk. */
  async put(events: readonly ImageEvent[], at: number): Promise<void> {
    const file = join(this.#dir, `${String(at).padStart(15, '0')}-${String(this.#serial++).padStart(9, '0')}.json`);
    const handle = await open(`${file}.part`, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(events));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}.part`, file);
    this.#waiting.push({ file, events });
    this.#wake?.();
  }

  /**
   * Passes all pending events to `act`, repeatedly; processed events are removed, and failed ones are retried after a delay. New events do
   * not wait for a slow registry.
   */
  async drain(
    act: (events: readonly ImageEvent[]) => Promise<void>,
    signal: AbortSignal,
    clock: Clock = systemClock,
  ): Promise<void> {
    const stop = (): void => this.#wake?.();
    signal.addEventListener('abort', stop);
    const running = new Set<Promise<void>>();
    try {
      while (!signal.aborted) {
        const batch = this.#waiting;
        if (batch.length === 0 || running.size >= maxBatches) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          continue;
        }
        this.#waiting = [];
        const acted: Promise<void> = this.#act(batch, act, signal, clock).finally(() => {
          running.delete(acted);
          this.#wake?.();
        });
        running.add(acted);
      }
      await Promise.all(running);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #act(
    batch: readonly Stored[],
    act: (events: readonly ImageEvent[]) => Promise<void>,
    signal: AbortSignal,
    clock: Clock,
  ): Promise<void> {
    try {
      await act(batch.flatMap(({ events }) => events));
    } catch {
      await sleep(clock, retryMs, signal).catch(() => {});
      this.#waiting = [...batch, ...this.#waiting];
      return;
    }
    await Promise.all(batch.map(({ file }) => rm(file, { force: true })));
  }
}
