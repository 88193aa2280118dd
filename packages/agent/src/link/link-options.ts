import type { Clock, Logger, Random } from '@fairlead/kube';
import type { BrakeOptions } from '../core/brake.ts';
import type { Inbox } from '../core/inbox.ts';
import type { MirroredKind, MirroredObject } from '../core/kinds.ts';
import type { Body, Reported } from '../core/message.ts';
import type { Outbox, OutboxOptions, Subject } from '../core/outbox.ts';
import type { Rules } from '../core/rules.ts';
import type { Side } from '../core/side.ts';
import type { Causes } from './causes.ts';
import type { Peer } from './connection.ts';
import type { OperationLedger } from './operation-ledger.ts';
import type { JournalFile, OutboxJournal } from './outbox-journal.ts';
import type { Shelf, ShelfView } from './shelf.ts';

/** What the parts of a link need of it. */
export interface LinkContext {
  readonly side: Side;
  readonly shelf: Shelf;
  readonly clock: Clock;
  readonly rules: Rules;
  /** By uid, what the other end's messages have led to here. */
  readonly causes: Causes;
  /** `cause`: the traceparent of the message that this follows from; without one a trace begins. */
  tell(subject: Subject, cause?: string): void;
  untell(subject: Subject): void;
  /** Whether the other end has still to be told of it. */
  isPending(subject: Subject): boolean;
  send(body: Body, cause?: string): void;
  peer(): Peer;
  /** How many states of these are still to be told. */
  waiting(where: (subject: Subject & { about: 'state' }) => boolean): number;
  /** Everything of a kind that informers have, part of this link or not. */
  candidates(kind: MirroredKind): Iterable<{ kind: MirroredKind; object: MirroredObject }>;
  reportChanged(): void;
  /** Both sides are known to be equal. */
  compared(): void;
  nonce(): string;
  instant(): string;
}

export interface LinkParts {
  readonly rules?: Partial<Rules>;
  readonly outbox?: (options: OutboxOptions) => Outbox;
  readonly inbox?: () => Inbox;
  readonly shelf?: (...args: ConstructorParameters<typeof Shelf>) => Shelf;
  readonly ledger?: Pick<OperationLedger, 'begin' | 'close'>;
  readonly journal?: (
    ...args: ConstructorParameters<typeof OutboxJournal>
  ) => Pick<OutboxJournal, 'load' | 'note' | 'written'>;
}

export interface LinkOptions {
  readonly side: Side;
  readonly shelf: Shelf;
  readonly view: ShelfView;
  /** Of an agent: which operations were begun on its cluster. */
  readonly ledger?: Pick<OperationLedger, 'begin' | 'close'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Names this process: numbers of messages are its own. */
  readonly epoch: string;
  readonly nonce: () => string;
  readonly log?: Logger;
  readonly brake?: BrakeOptions;
  readonly outbox?: Partial<OutboxOptions>;
  /** Where a side writes down what it has still to tell; nowhere when absent. */
  readonly journal?: (side: Side) => JournalFile;
  /** How many messages may be on their way at once. */
  readonly window?: number;
  /** How often both sides are compared though nothing seems wrong. */
  readonly compareMs?: number;
  readonly heartbeatMs?: number;
  /** Parts other than the usual ones. */
  readonly parts?: LinkParts;
  /** Told when there is something new to be said about this link. */
  readonly onReport?: () => void;
}

export interface LinkReport extends Reported {
  readonly connected: boolean;
  readonly pending: number;
  readonly overflows: number;
  /** When the two sides were last compared. */
  readonly comparedAt?: number;
  readonly heardAt?: number;
  /** What the agent says of itself, on the principal. */
  readonly remote?: Reported;
}
