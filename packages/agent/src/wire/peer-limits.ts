import { limits } from '@fairlead/kube';

/** The peer of a connection: an agent by the name in its trusted certificate, and anyone else by address. */
export interface Peer {
  readonly trusted: boolean;
  readonly name: string;
}

/** The limits of one peer. Those of peers that are not authenticated count per connection, because many can have one address. */
export interface PeerLimitValues {
  readonly connectionsBeforeAuthentication: number;
  readonly connectionsPerPeer: number;
  readonly streamsPerConnection: number;
  readonly streamsPerPeer: number;
  readonly streamsPerAgent: number;
  readonly bytesBeforeAuthentication: number;
  readonly bytesPerPeer: number;
}

const defaults: PeerLimitValues = {
  connectionsBeforeAuthentication: limits.agentConnectionsBeforeAuthentication,
  connectionsPerPeer: limits.agentConnectionsPerPeer,
  streamsPerConnection: limits.agentStreamsPerConnection,
  streamsPerPeer: limits.agentStreamsPerPeer,
  streamsPerAgent: limits.agentStreamsPerAgent,
  bytesBeforeAuthentication: limits.agentBytesBeforeAuthentication,
  bytesPerPeer: limits.agentBytesPerPeer,
};

interface Usage {
  connections: number;
  streams: number;
  bytes: number;
}

/** Counts the connections, streams and buffered bytes of every peer, and says when one has too many. */
export class PeerLimits {
  readonly #values: PeerLimitValues;
  readonly #usage = new Map<string, Usage>();
  #untrusted = 0;

  constructor(values: Partial<PeerLimitValues> = {}) {
    this.#values = { ...defaults, ...values };
  }

  /** Undefined if the peer may not open another connection. */
  connect(peer: Peer): PeerConnection | undefined {
    const key = `${peer.trusted ? 'agent' : 'address'} ${peer.name}`;
    const usage = this.#usage.get(key) ?? { connections: 0, streams: 0, bytes: 0 };
    if (usage.connections >= this.#values.connectionsPerPeer) return undefined;
    if (!peer.trusted && this.#untrusted >= this.#values.connectionsBeforeAuthentication) return undefined;
    usage.connections += 1;
    if (!peer.trusted) this.#untrusted += 1;
    this.#usage.set(key, usage);
    return new PeerConnection(peer, this.#values, usage, () => {
      usage.connections -= 1;
      if (!peer.trusted) this.#untrusted -= 1;
      if (usage.connections === 0) this.#usage.delete(key);
    });
  }
}

/** One connection of a peer. */
export class PeerConnection {
  readonly peer: Peer;
  readonly #values: PeerLimitValues;
  readonly #usage: Usage;
  readonly #release: () => void;
  readonly #own: Omit<Usage, 'connections'> = { streams: 0, bytes: 0 };
  #closed = false;

  constructor(peer: Peer, values: PeerLimitValues, usage: Usage, release: () => void) {
    this.peer = peer;
    this.#values = values;
    this.#usage = usage;
    this.#release = release;
  }

  /** Undefined if the connection or the peer has too many streams. */
  openStream(): StreamAllowance | undefined {
    const { streamsPerConnection, streamsPerPeer, streamsPerAgent } = this.#values;
    if (!this.peer.trusted && this.#own.streams >= streamsPerConnection) return undefined;
    if (this.#usage.streams >= (this.peer.trusted ? streamsPerAgent : streamsPerPeer)) return undefined;
    this.#add('streams', 1);
    let held = 0;
    let closed = false;
    return {
      hold: (bytes) => {
        if (closed) return false;
        this.#add('bytes', bytes - held);
        held = bytes;
        return this.#isWithin();
      },
      close: () => {
        if (closed) return;
        closed = true;
        this.#add('bytes', -held);
        this.#add('streams', -1);
      },
    };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
  }

  #isWithin(): boolean {
    const { bytesBeforeAuthentication, bytesPerPeer } = this.#values;
    return this.peer.trusted ? this.#usage.bytes <= bytesPerPeer : this.#own.bytes <= bytesBeforeAuthentication;
  }

  #add(what: 'streams' | 'bytes', count: number): void {
    this.#own[what] += count;
    this.#usage[what] += count;
  }
}

/** The limits of one stream. */
export interface StreamAllowance {
  /** The stream now buffers this many bytes; false if that exceeds a limit. */
  hold(bytes: number): boolean;
  close(): void;
}
