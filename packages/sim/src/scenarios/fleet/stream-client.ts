import type { StreamSink } from '@fairlead/server/fleet';
import type { Simulation } from '../../simulation.ts';
import type { ServerReplica } from './server-replica.ts';

/** Writes that a connection takes until the client reads. */
const maxWrites = 2;

/** The server's end of a connection. */
class Connection implements StreamSink {
  readonly #replica: ServerReplica;
  readonly #sim: Simulation;
  #waiting: Uint8Array[] = [];
  #drained: (() => void)[] = [];
  isClosed = false;

  constructor(sim: Simulation, replica: ServerReplica) {
    this.#sim = sim;
    this.#replica = replica;
  }

  write(bytes: Uint8Array): boolean {
    this.#waiting.push(bytes);
    this.#sim.check(this.#waiting.length <= maxWrites, 'a server buffers events for a client that does not read');
    return this.#waiting.length < maxWrites;
  }

  once(_: 'drain', listener: () => void): void {
    this.#drained.push(listener);
  }

  end(): void {
    this.isClosed = true;
  }

  read(): string {
    const text = Buffer.concat(this.#waiting.splice(0)).toString();
    for (const listener of this.#drained.splice(0)) this.#replica.process.after(0, listener);
    return text;
  }
}

export interface StreamClientOptions {
  readonly replicas: () => readonly ServerReplica[];
  /** A client with this bug is found. */
  readonly ignoresReload: boolean;
}

/** Follows the fleet as a browser does: the list, then the events after it; the list again when the server asks for it. It reads at random times. */
export class StreamClient {
  shown = new Map<string, string>();
  readonly #sim: Simulation;
  readonly #options: StreamClientOptions;
  #lastId: string | undefined;
  #connection: { readonly sink: Connection; readonly close: () => void } | undefined;
  /** A list has to be read, at least as new as the event. */
  #pendingList: { readonly since: string | undefined } | undefined = { since: undefined };
  #isListing = false;
  #blocks: string[] = [];
  #isSlow = false;

  constructor(sim: Simulation, options: StreamClientOptions) {
    this.#sim = sim;
    this.#options = options;
    this.#isSlow = sim.chance(0.3);
    this.#scheduleTurn();
  }

  disconnect(): void {
    this.#connection?.close();
    this.#connection = undefined;
    // What was not read is lost.
    this.#blocks = [];
  }

  /** From now on it reads as soon as it can, and stays connected. */
  hurry(): void {
    this.#isSlow = false;
  }

  #scheduleTurn(): void {
    const ms = this.#isSlow ? this.#sim.between(1_000, 30_000) : this.#sim.between(20, 500);
    this.#sim.clock.after(ms, () => {
      this.#turn();
      this.#scheduleTurn();
    });
  }

  #turn(): void {
    if (this.#isListing) return;
    if (this.#pendingList) return void this.#list(this.#pendingList.since);
    const { sink } = this.#connection ?? {};
    if (!sink) return this.#connect();
    const text = sink.read();
    this.#blocks.push(...text.split('\n\n').slice(0, -1));
    while (this.#blocks.length > 0 && !this.#pendingList) this.#receive(this.#blocks.shift() ?? '');
    if (sink.isClosed) this.disconnect();
  }

  #connect(): void {
    const replica = this.#anyReplica();
    if (!replica) return;
    const sink = new Connection(this.#sim, replica);
    const close = replica.follow(sink, this.#lastId, () => {
      sink.isClosed = true;
    });
    this.#connection = { sink, close };
  }

  async #list(since: string | undefined): Promise<void> {
    const replica = this.#anyReplica();
    if (!replica) return;
    this.#isListing = true;
    try {
      const { versions, id } = await replica.list(since);
      this.shown = versions;
      this.#lastId ??= id;
      this.#pendingList = undefined;
    } catch (error) {
      this.#sim.trace(`a list fails: ${String(error)}`);
    } finally {
      this.#isListing = false;
    }
  }

  #anyReplica(): ServerReplica | undefined {
    const ready = this.#options.replicas().filter(({ isReady }) => isReady);
    return ready.length > 0 ? this.#sim.pick(ready) : undefined;
  }

  #receive(block: string): void {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'mu').exec(block)?.[1] ?? '';
    const id = field('id');
    this.#lastId = id;
    if (field('event') === 'reload' && !this.#options.ignoresReload) this.#pendingList = { since: id };
    if (field('event') !== 'application') return;
    const { type, summary } = JSON.parse(field('data')) as {
      type: string;
      summary: { name: string; resourceVersion: string };
    };
    if (type === 'DELETED') this.shown.delete(summary.name);
    else this.shown.set(summary.name, summary.resourceVersion);
  }
}
