import type { SimProcess } from './sim-process.ts';
import type { Simulation } from './simulation.ts';

/** The fault rates of a network: probabilities from 0 to 1, drawn again for each message. */
export interface NetworkFaults {
  readonly drop: number;
  readonly duplicate: number;
  /** A message takes seconds, and others overtake it. */
  readonly reorder: number;
  /** Additional delay of each message, in ms. */
  readonly delay: number;
  /** The connection breaks while a message is in transit: both sides are notified, at different times. */
  readonly cut: number;
}

export const calmNetwork: NetworkFaults = { drop: 0, duplicate: 0, reorder: 0, delay: 0, cut: 0 };

/** One side of a connection. */
export interface SimSocket<M> {
  send(message: M): void;
  close(): void;
}

export interface SocketHandler<M> {
  message(message: M): void;
  /** Called once when this side is notified that the connection is lost. */
  closed(): void;
}

type Side = 'dialler' | 'listener';

/**
 * Connections between processes. Messages belong to their connection: a message of one never arrives on the next. On one connection
 * messages may be lost, duplicated and reordered, unlike in TCP: a forwarding process may do this.
 */
export class SimNetwork<M> {
  readonly #sim: Simulation;
  readonly #connections = new Set<SimConnection<M>>();
  #faults: NetworkFaults = calmNetwork;
  readonly #blocked = new Set<Side>();
  /** By process, how long it takes to read one message. */
  readonly #slowReaders = new Map<SimProcess, number>();

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  set faults(faults: NetworkFaults) {
    this.#faults = faults;
  }

  get faults(): NetworkFaults {
    return this.#faults;
  }

  /** Messages of this side are dropped, and no error is reported. */
  block(from: Side): void {
    this.#sim.trace(`nothing from the ${from} arrives any more`);
    this.#blocked.add(from);
  }

  unblock(): void {
    if (this.#blocked.size > 0) this.#sim.trace('messages arrive again');
    this.#blocked.clear();
  }

  isBlocked(from: Side): boolean {
    return this.#blocked.has(from);
  }

  /** From now on the process takes this long to read each message. Messages wait for those before them on the same connection. */
  slowDown(process: SimProcess, ms: number): void {
    this.#sim.trace(`${process.name} takes ${ms} ms for each message`);
    this.#slowReaders.set(process, ms);
  }

  /** All processes read without delay again. */
  speedUp(): void {
    this.#slowReaders.clear();
  }

  readMs(process: SimProcess): number {
    return this.#slowReaders.get(process) ?? 0;
  }

  cutAll(): void {
    for (const connection of [...this.#connections]) connection.cut();
  }

  /** The effect of a crash: the peers are notified. */
  cutOf(process: SimProcess): void {
    for (const connection of [...this.#connections]) if (connection.joins(process)) connection.cut();
  }

  /** A connection, or undefined if none can be opened now. */
  connect(
    dialler: SimProcess,
    onDialler: SocketHandler<M>,
    listener: SimProcess,
    onListener: SocketHandler<M>,
  ): { dialler: SimSocket<M>; listener: SimSocket<M> } | undefined {
    if (this.#blocked.size > 0 || listener.crashed || dialler.crashed) return undefined;
    const connection = new SimConnection<M>(
      this.#sim,
      this,
      { dialler, listener },
      { dialler: onDialler, listener: onListener },
    );
    this.#connections.add(connection);
    return { dialler: connection.socket('dialler'), listener: connection.socket('listener') };
  }

  forget(connection: SimConnection<M>): void {
    this.#connections.delete(connection);
  }
}

const other = (side: Side): Side => (side === 'dialler' ? 'listener' : 'dialler');

class SimConnection<M> {
  readonly #sim: Simulation;
  readonly #network: SimNetwork<M>;
  readonly #processes: Readonly<Record<Side, SimProcess>>;
  readonly #handlers: Readonly<Record<Side, SocketHandler<M>>>;
  readonly #knows: Record<Side, boolean> = { dialler: false, listener: false };
  /** When each side has read all that has arrived. */
  readonly #readUntil: Record<Side, number> = { dialler: 0, listener: 0 };
  #broken = false;

  constructor(
    sim: Simulation,
    network: SimNetwork<M>,
    processes: Readonly<Record<Side, SimProcess>>,
    handlers: Readonly<Record<Side, SocketHandler<M>>>,
  ) {
    this.#sim = sim;
    this.#network = network;
    this.#processes = processes;
    this.#handlers = handlers;
  }

  joins(process: SimProcess): boolean {
    return this.#processes.dialler === process || this.#processes.listener === process;
  }

  socket(side: Side): SimSocket<M> {
    return { send: (message) => this.#send(side, message), close: () => this.cut() };
  }

  cut(): void {
    if (this.#broken) return;
    this.#sim.trace(`the connection of ${this.#processes.dialler.name} breaks`);
    this.#broken = true;
    this.#network.forget(this);
    for (const side of ['dialler', 'listener'] as const) {
      this.#processes[side].after(this.#sim.between(0, 3_000), () => {
        if (this.#knows[side]) return;
        this.#knows[side] = true;
        this.#handlers[side].closed();
      });
    }
  }

  #send(from: Side, message: M): void {
    const process = this.#processes[from];
    if (!process.step(`sending ${labelOf(message)}`)) return this.cut();
    const { faults } = this.#network;
    if (this.#broken || this.#network.isBlocked(from)) return;
    if (this.#sim.chance(faults.cut)) this.cut();
    if (this.#sim.chance(faults.drop)) {
      this.#sim.trace(`lost: ${process.name} ${labelOf(message)}`);
      return;
    }
    const copies = this.#sim.chance(faults.duplicate) ? 2 : 1;
    for (let i = 0; i < copies; i++) this.#travel(from, message);
  }

  #travel(from: Side, message: M): void {
    const { reorder, delay } = this.#network.faults;
    const late = this.#sim.chance(reorder);
    const ms = delay + (late ? this.#sim.between(100, 8_000) : this.#sim.between(1, 10));
    const to = this.#processes[other(from)];
    to.after(ms + this.#readingMs(other(from), ms), () => {
      if (this.#broken || this.#network.isBlocked(from)) return;
      if (!to.step(`receiving ${labelOf(message)}`)) return this.cut();
      this.#sim.trace(`${to.name} hears ${labelOf(message)}`);
      this.#handlers[other(from)].message(message);
    });
  }

  /** The delay of a message that arrives in `ms` because of a slow reader. */
  #readingMs(side: Side, ms: number): number {
    const readMs = this.#network.readMs(this.#processes[side]);
    if (readMs === 0) return 0;
    const arrives = this.#sim.clock.now() + ms;
    this.#readUntil[side] = Math.max(this.#readUntil[side], arrives) + readMs;
    return this.#readUntil[side] - arrives;
  }
}

const labelOf = (message: unknown): string => {
  const { label } = message as { label?: unknown };
  return typeof label === 'string' ? label : JSON.stringify(message).slice(0, 120);
};
