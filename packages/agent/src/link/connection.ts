import type { Message } from '../core/message.ts';

export interface Peer {
  /** Whether it knows what argocd-agent does not: message numbers, state checksums, lists in parts. */
  readonly fairlead: boolean;
  /** The largest message that it accepts. */
  readonly maxBytes: number;
}

/** One connection to the peer. A message that is sent may be lost with the connection. */
export interface Connection {
  readonly peer: Peer;
  send(message: Message): void;
  /** Stops and continues reading: a peer may send more than this side can process. */
  setPaused?(paused: boolean): void;
  /** The size of a message; 0 if it does not matter. */
  sizeOf?(message: Message): number;
}
