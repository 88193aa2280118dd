import type { Message } from '../core/message.ts';

export interface Peer {
  /** Whether it knows what argocd-agent does not: numbers, states, lists in parts. */
  readonly fairlead: boolean;
  /** The largest message that it takes. */
  readonly maxBytes: number;
}

/** One connection to the peer. What is sent may be lost with it. */
export interface Connection {
  readonly peer: Peer;
  send(message: Message): void;
  /** How large a message would be; 0 where it does not matter. */
  sizeOf?(message: Message): number;
}
