import { silentLogger } from '@fairlead/kube';
import {
  EventHub,
  type EventStream,
  endpointOf,
  FacetQueries,
  FleetIndex,
  type KeyedViewer,
  pageOf,
  QueryValues,
  readFilter,
  Server,
  ServerState,
  type StreamSink,
} from '@fairlead/server/fleet';
import type { SimApiServer } from '../../sim-api-server.ts';
import type { SimProcess } from '../../sim-process.ts';

const everybody: KeyedViewer = { key: 'everybody', reach: () => 'all', allows: () => true };
const everything = QueryValues.read(new URLSearchParams('limit=1000'), endpointOf('listApplications').query ?? {});

/** What a client reads with a list. */
export interface FleetList {
  /** Resource versions by name. */
  readonly versions: Map<string, string>;
  /** The event to continue after. */
  readonly id: string;
}

/** A replica of the API server: its watches, the index of Applications, and the streams of events. */
export class ServerReplica {
  readonly process: SimProcess;
  readonly #stop = new AbortController();
  #fleet: FleetIndex | undefined;
  #hub: EventHub | undefined;

  constructor(api: SimApiServer, process: SimProcess, events: number) {
    this.process = process;
    const { clock, random } = process;
    const client = api.client(process);
    const state = new ServerState({
      client,
      namespace: 'argocd',
      clock,
      random,
      log: silentLogger,
      allNamespaces: false,
    });
    const server = new Server({ state, log: silentLogger, random, disableAuth: true });
    state.start(this.#stop.signal).then(
      () => {
        this.#fleet = new FleetIndex(server, events);
        this.#hub = new EventHub({ state: this.#fleet, facets: new FacetQueries(), clock });
      },
      () => this.stop(),
    );
  }

  /** Whether it accepts requests. */
  get isReady(): boolean {
    return this.#hub !== undefined && !this.process.crashed && !this.#stop.signal.aborted;
  }

  /** A list that is at least as new as the event. Throws if this replica does not get there in time, or crashes. */
  async list(since: string | undefined): Promise<FleetList> {
    const fleet = this.#fleet;
    if (!fleet || !this.isReady) throw new Error('not ready');
    await new Promise<void>((resolve, reject) => {
      const closed = this.process.connection(() => reject(new Error('the connection was lost')));
      fleet.reached(since, this.#stop.signal).then(resolve, reject).finally(closed);
    });
    const { items, version } = pageOf(fleet, everybody, { query: everything, path: {}, body: undefined });
    return { versions: new Map(items.map(({ name, resourceVersion }) => [name, resourceVersion])), id: version };
  }

  /** `onCut` is called if it crashes. Returns a function that closes the stream. */
  follow(sink: StreamSink, since: string | undefined, onCut: () => void): () => void {
    const hub = this.#hub;
    if (!hub) throw new Error('not ready');
    const filter = readFilter(QueryValues.read(new URLSearchParams(), {}));
    const view = { types: new Set(['application']), filter, viewer: everybody, mayGetAgent: () => true };
    const stream: EventStream = hub.open(sink, view, since);
    const closed = this.process.connection(onCut);
    return () => {
      closed();
      hub.close(stream);
    };
  }

  /** Ends its streams, as a process does that is asked to stop. */
  stop(): void {
    this.#hub?.stop();
    this.#fleet?.close();
    this.#stop.abort();
  }
}
