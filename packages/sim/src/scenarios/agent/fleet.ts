import {
  AgentRuntime,
  admit,
  type Connection,
  type Link,
  type LinkSettings,
  Liveness,
  type Mapping,
  type Message,
  type Mode,
  PrincipalLinks,
} from '@fairlead/agent';
import { must } from '@fairlead/apimachinery';
import { drawFaults, type FaultProfile, noFaults } from '../../fault-profile.ts';
import { SimApiServer } from '../../sim-api-server.ts';
import { SimFile } from '../../sim-file.ts';
import { calmNetwork, SimNetwork, type SimSocket } from '../../sim-network.ts';
import type { SimProcess } from '../../sim-process.ts';
import type { Simulation } from '../../simulation.ts';
import { nameOfSubject, subjectsIn } from './kept-subjects.ts';
import { refreshRequest, StreamToken } from './stream-token.ts';

export const hubNamespace = 'argocd';
/** Small, so that a message easily exceeds it. */
export const largestMessage = 20_000;

export interface RunningAgent {
  readonly process: SimProcess;
  readonly runtime: AgentRuntime;
  readonly cluster: string;
}

export interface RunningPrincipal {
  readonly process: SimProcess;
  readonly hub: PrincipalLinks;
  ready: boolean;
}

export interface FleetOptions {
  readonly agents: Readonly<Record<string, Mode>>;
  readonly mapping?: Mapping;
  /** How many principals serve the hub at once, as during a rolling update; agents connect to any. One by default. */
  readonly principals?: number;
  readonly hubFaults?: FaultProfile;
  readonly clusterFaults?: FaultProfile;
  /** Parts with deliberate bugs. */
  readonly settings?: Partial<LinkSettings>;
  /** Called with each message as it is sent, and the name of the receiving process. */
  readonly onSend?: (agent: string, to: string, message: Message) => void;
}

/** A hub, its principal, and agents with their clusters; each process can crash and restart. */
export class Fleet {
  readonly sim: Simulation;
  readonly hub: SimApiServer;
  readonly clusters = new Map<string, SimApiServer>();
  readonly network: SimNetwork<Message>;
  readonly modes: ReadonlyMap<string, Mode>;
  principal: RunningPrincipal | undefined;
  /** The principals other than the first. */
  readonly otherPrincipals: RunningPrincipal[] = [];
  readonly agents = new Map<string, RunningAgent>();
  /** The probability that a message arrives corrupted. */
  garble = 0;
  /** Called before each message is sent; network changes made here apply to the message. */
  readonly beforeSend = new Set<(from: 'principal' | 'agent', message: Message) => void>();
  /** The outbox file of each side; files outlive the processes. */
  readonly files: Readonly<Record<'principal' | 'agent', SimFile>> = { principal: new SimFile(), agent: new SimFile() };
  /** The outbox files of the other agents, and of the principal's links to them. */
  readonly #otherFiles = new Map<string, SimFile>();
  /** The validity of the token of a stream. */
  tokenMs = 900_000;
  readonly #tokens = new Set<StreamToken>();
  /** By agent, the process whose stream the principal has. */
  readonly #streams = new Map<string, SimProcess>();
  readonly #options: FleetOptions;
  #starts = 0;

  constructor(sim: Simulation, options: FleetOptions) {
    this.sim = sim;
    this.#options = options;
    this.network = new SimNetwork(sim);
    this.modes = new Map(Object.entries(options.agents));
    this.hub = new SimApiServer(sim, options.hubFaults ?? noFaults);
    for (const agent of this.modes.keys())
      this.clusters.set(agent, new SimApiServer(sim, options.clusterFaults ?? noFaults));
  }

  cluster(agent: string): SimApiServer {
    return must(this.clusters.get(agent), `the cluster of ${agent}`);
  }

  mode(agent: string): Mode {
    return must(this.modes.get(agent), `the mode of ${agent}`);
  }

  agent(agent: string): RunningAgent {
    return must(this.agents.get(agent), `agent ${agent}`);
  }

  get runningPrincipal(): RunningPrincipal {
    return must(this.principal, 'the principal');
  }

  start(): void {
    this.startPrincipal();
    for (let i = 1; i < (this.#options.principals ?? 1); i++) this.otherPrincipals.push(this.#newPrincipal(newFiles()));
    for (const agent of this.modes.keys()) this.startAgent(agent);
  }

  heal(): void {
    this.hub.heal();
    for (const cluster of this.clusters.values()) cluster.heal();
    this.network.faults = calmNetwork;
    this.garble = 0;
    this.beforeSend.clear();
    this.network.unblock();
    this.network.speedUp();
    this.startPrincipal();
    this.startOtherPrincipals();
    for (const agent of this.modes.keys()) this.restartAgent(agent);
  }

  /** Restarts crashed processes, with an empty disk. */
  startOtherPrincipals(): void {
    for (const [index, { process }] of this.otherPrincipals.entries())
      if (process.crashed) this.otherPrincipals[index] = this.#newPrincipal(newFiles());
  }

  get byDestination(): boolean {
    return this.#options.mapping === 'destination';
  }

  /** Whether an Application of the hub may belong to an agent, by its location. */
  isHubPlace(agent: string, namespace: string | undefined): boolean {
    return namespace === this.hubNamespaceOf(agent) || (this.byDestination && /^team-/u.test(namespace ?? ''));
  }

  /** The default location of the Applications of an agent on the hub. */
  hubNamespaceOf(agent: string): string {
    return this.#options.mapping === 'destination' ? hubNamespace : agent;
  }

  /** Unless one is running. */
  startPrincipal(): void {
    if (this.principal && !this.principal.process.crashed) return;
    this.principal = this.#newPrincipal((agent) => this.#fileOf('principal', agent));
  }

  #newPrincipal(fileOf: (agent: string) => SimFile): RunningPrincipal {
    const process = this.sim.process(`principal-${++this.#starts}`);
    const hub = new PrincipalLinks({
      client: this.hub.client(process),
      namespace: hubNamespace,
      agentExists: ({ agent, uid }) => this.modes.has(agent) && uid === agentUidOf(agent),
      ...this.#spread(),
      settings: this.#settings(process, fileOf),
    });
    const running: RunningPrincipal = { process, hub, ready: false };
    void hub.start(new AbortController().signal).then(() => (running.ready = true));
    return running;
  }

  crashPrincipal(): void {
    const { process } = this.runningPrincipal;
    if (!process.crashed) process.crash();
    this.network.cutOf(process);
  }

  /** Unless it is running. */
  restartAgent(agent: string): void {
    if (this.agents.get(agent)?.process.crashed ?? true) this.startAgent(agent);
  }

  /** `cluster` differs from its own if an impostor uses the name; a twin is another process on the same cluster. */
  startAgent(agent: string, cluster = agent, server = this.cluster(agent), twin = false): RunningAgent {
    const process = this.sim.process(`${agent}-${++this.#starts}`);
    // Another process with the name, or on the same cluster, has a separate disk.
    const file = cluster === agent && !twin ? this.#fileOf('agent', agent) : new SimFile();
    const runtime = new AgentRuntime({
      client: server.client(process),
      agent,
      agentUid: agentUidOf(agent),
      mode: this.mode(agent),
      namespace: hubNamespace,
      ...this.#spread(),
      settings: this.#settings(process, () => file),
    });
    const running = { process, runtime, cluster };
    if (cluster === agent && !twin) this.agents.set(agent, running);
    if (cluster === agent && !twin) this.#checkKept(runtime.link, file.text);
    void runtime.start(new AbortController().signal).then(() => this.#dial(agent, running));
    return running;
  }

  /** The tokens of all streams expire now. */
  expireTokens(): void {
    for (const token of [...this.#tokens]) token.expire();
  }

  /** The next process sends the saved subjects of the previous outbox. */
  #checkKept(link: Link, text: string | undefined): void {
    if (this.#options.settings?.outbox?.limit !== undefined) return;
    const pending = new Set(Array.from(link.pending, nameOfSubject));
    for (const subject of subjectsIn(text))
      this.sim.check(pending.has(subject), `${subject} was in the file of the outbox, and is not sent`);
  }

  /** The machine of an agent loses power, including unsynced writes to its disk. */
  losePower(agent: string): void {
    this.crashAgent(agent);
    this.#fileOf('agent', agent).losePower((items) => this.sim.pick(items));
  }

  crashAgent(agent: string): void {
    const { process } = this.agent(agent);
    if (!process.crashed) process.crash();
    this.network.cutOf(process);
  }

  /** One attempt to connect, and the next one when it fails or ends. */
  #dial(agent: string, running: RunningAgent): void {
    const { process, runtime } = running;
    const again = () => process.after(this.sim.between(500, 3_000), () => this.#dial(agent, running));
    const principal = this.#pickPrincipal();
    if (!principal?.ready || principal.process.crashed) return void again();
    const mode = this.mode(agent);
    const admission = admit(
      { mode, cluster: agent },
      { agent, controlPlaneNamespace: hubNamespace, mode, cluster: running.cluster },
    );
    if (!admission.admitted) return void again();
    const before = this.#streams.get(agent);
    if (before && before !== process && !before.crashed) this.network.cutOf(before);
    this.#streams.set(agent, process);
    const isNew = principal.hub.find(agent) === undefined;
    const link = this.#linkOf(principal, agent);
    if (isNew && principal === this.principal) this.#checkKept(link, this.#fileOf('principal', agent).text);
    let token: StreamToken | undefined;
    const over = (): void => {
      token?.stop();
      if (token) this.#tokens.delete(token);
    };
    const own = this.#end(agent, 'agent', process, principal.process, (connection) => {
      over();
      runtime.link.disconnected(connection);
      again();
    });
    const other = this.#end(agent, 'principal', principal.process, process, (connection) => {
      over();
      link.disconnected(connection);
    });
    const receive = (connection: Connection, message: Message): void => {
      if (message === refreshRequest) token?.refreshed();
      else link.receive(connection, message);
    };
    const sockets = this.network.connect(
      process,
      own.handler((connection, message) => runtime.link.receive(connection, message)),
      principal.process,
      other.handler(receive),
    );
    if (!sockets) {
      own.stop();
      other.stop();
      return void again();
    }
    const listening = other.connect(sockets.listener);
    link.connected(listening);
    runtime.link.connected(own.connect(sockets.dialler));
    token = new StreamToken({
      agent: process,
      principal: principal.process,
      lifeMs: () => this.tokenMs,
      request: () => sockets.dialler.send(refreshRequest),
      end: () => {
        this.sim.trace(`the token of ${process.name} has expired`);
        link.disconnected(listening);
        sockets.listener.close();
      },
    });
    this.#tokens.add(token);
  }

  #pickPrincipal(): RunningPrincipal | undefined {
    return this.otherPrincipals.length === 0
      ? this.principal
      : this.sim.pick([this.principal, ...this.otherPrincipals]);
  }

  #linkOf(principal: RunningPrincipal, agent: string): Link {
    return principal.hub.link({ agent, uid: agentUidOf(agent) }, this.mode(agent), this.#options.mapping);
  }

  /**
   * A stream of a process that has the certificate of an agent and is not one: it sends arbitrary messages. Undefined if no principal is
   * running.
   */
  openStream(
    agent: string,
    process: SimProcess,
    onMessage: (message: Message) => void,
  ): ((message: Message) => void) | undefined {
    const principal = this.#pickPrincipal();
    if (!principal?.ready || principal.process.crashed) return undefined;
    const link = this.#linkOf(principal, agent);
    const own = this.#end(agent, 'agent', process, principal.process, () => {});
    const other = this.#end(agent, 'principal', principal.process, process, (connection) =>
      link.disconnected(connection),
    );
    const sockets = this.network.connect(
      process,
      own.handler((_, message) => onMessage(message)),
      principal.process,
      other.handler((connection, message) => link.receive(connection, message)),
    );
    if (!sockets) {
      own.stop();
      other.stop();
      return undefined;
    }
    link.connected(other.connect(sockets.listener));
    own.connect(sockets.dialler);
    return (message) => sockets.dialler.send(message);
  }

  #end(
    agent: string,
    from: 'principal' | 'agent',
    process: SimProcess,
    peer: SimProcess,
    onClosed: (c: Connection) => void,
  ) {
    let socket: SimSocket<Message> | undefined;
    const liveness = new Liveness(process.clock, 45_000, () => socket?.close());
    const connection: Connection = {
      peer: { fairlead: true, maxBytes: largestMessage },
      sizeOf: (message) => JSON.stringify(message).length,
      send: (message) => {
        for (const receive of this.beforeSend) receive(from, message);
        this.#options.onSend?.(agent, peer.name, message);
        socket?.send(this.garble > 0 && this.sim.chance(this.garble) ? garbled(message) : message);
      },
    };
    return {
      stop: () => liveness.stop(),
      connect: (made: SimSocket<Message>): Connection => {
        socket = made;
        return connection;
      },
      handler: (receive: (connection: Connection, message: Message) => void) => ({
        message: (message: Message) => {
          liveness.received();
          receive(connection, message);
        },
        closed: () => {
          liveness.stop();
          onClosed(connection);
        },
      }),
    };
  }

  /** Of the first agent, in `files`. */
  #fileOf(role: 'principal' | 'agent', agent: string): SimFile {
    if (agent === this.modes.keys().next().value) return this.files[role];
    const key = `${role} ${agent}`;
    const file = this.#otherFiles.get(key) ?? new SimFile();
    this.#otherFiles.set(key, file);
    return file;
  }

  #spread(): { namespaces?: readonly string[] } {
    return this.byDestination ? { namespaces: ['team-*'] } : {};
  }

  #settings(process: SimProcess, fileOf: (agent: string) => SimFile): LinkSettings {
    return {
      journal: ({ agent }) => fileOf(agent).of(process),
      clock: process.clock,
      random: process.random,
      epoch: process.name,
      nonce: () => this.sim.uid(),
      ...this.#options.settings,
    };
  }
}

/** The disk of a new process: a file for each agent. */
const newFiles = (): ((agent: string) => SimFile) => {
  const files = new Map<string, SimFile>();
  return (agent) => {
    const file = files.get(agent) ?? new SimFile();
    files.set(agent, file);
    return file;
  };
};

/** The uid of the Agent resource. */
export const agentUidOf = (agent: string): string => `uid-of-${agent}`;

const garbled = (message: Message): Message =>
  ({ ...message, type: 'garbled', label: `${message.label}, garbled` }) as never;

export const drawn = (sim: Simulation): FaultProfile => drawFaults((items) => sim.pick(items));
