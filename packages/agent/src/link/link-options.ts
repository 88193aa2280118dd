import type { Clock, Logger, Random } from '@fairlead/kube';
import type { BrakeOptions } from '../core/brake.ts';
import type { Inbox } from '../core/inbox.ts';
import type { MirroredKind, MirroredObject } from '../core/kinds.ts';
import type { Body, Reported } from '../core/message.ts';
import type { Outbox, OutboxOptions, Subject } from '../core/outbox.ts';
import type { Rules } from '../core/rules.ts';
import type { Side } from '../core/side.ts';
import type { Peer } from './connection.ts';
import type { OperationLedger } from './endpoints/operation-ledger.ts';
import type { InformerView, MirrorStore } from './mirror-store.ts';
import type { RecentTraces } from './recent-traces.ts';
import type { JournalFile, OutboxJournal } from './sending/outbox-journal.ts';

/** The interface of a link to its parts. */
export interface LinkContext {
  readonly side: Side;
  readonly store: MirrorStore;
  readonly clock: Clock;
  readonly rules: Rules;
  /** By uid, the traces of the peer's last messages. */
  readonly traces: RecentTraces;
  /** `cause`: the traceparent of the message that this results from; without one a trace begins. */
  enqueue(subject: Subject, cause?: string): void;
  cancel(subject: Subject): void;
  /** Whether the peer has not acknowledged the subject yet. */
  isPending(subject: Subject): boolean;
  send(body: Body, cause?: string): void;
  peer(): Peer;
  /** How many of these states are pending. */
  waiting(where: (subject: Subject & { about: 'state' }) => boolean): number;
  /** All objects of a kind in the informers' caches, part of this link or not. */
  candidates(kind: MirroredKind): Iterable<{ kind: MirroredKind; object: MirroredObject }>;
  reportChanged(): void;
  /** Both sides were compared and are equal. */
  compared(): void;
  nonce(): string;
  timestamp(): string;
}

export interface LinkParts {
  readonly rules?: Partial<Rules>;
  readonly outbox?: (options: OutboxOptions) => Outbox;
  readonly inbox?: () => Inbox;
  readonly store?: (...args: ConstructorParameters<typeof MirrorStore>) => MirrorStore;
  readonly ledger?: Pick<OperationLedger, 'begin' | 'close'>;
  readonly journal?: (
    ...args: ConstructorParameters<typeof OutboxJournal>
  ) => Pick<OutboxJournal, 'load' | 'note' | 'written'>;
}

export interface LinkOptions {
  readonly side: Side;
  readonly store: MirrorStore;
  readonly view: InformerView;
  /** Of an agent: the operations that were started on its cluster. */
  readonly ledger?: Pick<OperationLedger, 'begin' | 'close'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Identifies this process: message numbers are unique within it. */
  readonly epoch: string;
  readonly nonce: () => string;
  readonly log?: Logger;
  readonly brake?: BrakeOptions;
  readonly outbox?: Partial<OutboxOptions>;
  /** Where a side saves its pending subjects; nowhere if absent. */
  readonly journal?: (side: Side) => JournalFile;
  /** How many messages may be unacknowledged at once. */
  readonly window?: number;
  /** How often both sides are compared if nothing else triggers a resync. */
  readonly compareMs?: number;
  readonly heartbeatMs?: number;
  /** Replaces parts of the link, for tests. */
  readonly parts?: LinkParts;
  /** Called when the report of this link changes. */
  readonly onReport?: () => void;
}

export interface LinkReport extends Reported {
  readonly connected: boolean;
  readonly pending: number;
  readonly overflows: number;
  /** When the two sides were last compared. */
  readonly comparedAt?: number;
  readonly receivedAt?: number;
  /** The agent's own report, on the principal. */
  readonly remote?: Reported;
}
