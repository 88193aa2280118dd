import type { MirroredKind } from '../core/kinds.ts';
import type { Message } from '../core/message.ts';

export interface Peer {
  /** Whether it knows what argocd-agent does not: message numbers, state checksums, lists in parts. */
  readonly fairlead: boolean;
  /** Whether it knows GPG keys as a kind of mirrored object. */
  readonly gpgKeys?: boolean;
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

/** Whether a peer accepts objects of this kind, and expects them in lists. */
export const isKnownTo = ({ gpgKeys = false }: Peer, kind: MirroredKind): boolean => kind !== 'GPGKey' || gpgKeys;
