import { silentLogger } from '@fairlead/kube';
import { DeletionBrake } from '../core/brake.ts';
import { Inbox } from '../core/inbox.ts';
import type { MirroredKind, MirroredObject } from '../core/kinds.ts';
import type { Message, Reported } from '../core/message.ts';
import type { Subject } from '../core/outbox.ts';
import { rules } from '../core/rules.ts';
import type { Side } from '../core/side.ts';
import { Causes } from './causes.ts';
import type { Connection } from './connection.ts';
import { Ends } from './ends.ts';
import { Hearing } from './hearing.ts';
import type { LinkContext, LinkOptions, LinkReport } from './link-options.ts';
import { type NamedSubject, Quarantine } from './quarantine.ts';
import { Rhythm } from './rhythm.ts';
import type { Heard } from './shelf.ts';
import { Telling } from './telling.ts';

const nothing = { applications: 0, quarantined: [] as const };

/**
 * One side's end of a link between the principal and one agent.
 *
 * - Level-triggered: an event says which uid to look at; what is told of it is read when it is sent.
 * - A message is answered when its effect is stored, and told again until it is answered.
 * - On every connect the mirror's side compares all it has with all the source has; and from time to time, in case.
 */
export class Link {
  readonly side: Side;
  readonly #options: LinkOptions;
  readonly #log: NonNullable<LinkOptions['log']>;
  readonly #brake: DeletionBrake;
  readonly #quarantine: Quarantine;
  readonly #telling: Telling;
  readonly #ends: Ends;
  readonly #hearing: Hearing;
  readonly #rhythm: Rhythm;
  #connection: Connection | undefined;
  #comparedAt: number | undefined;
  #heardAt: number | undefined;
  #remote: Reported | undefined;
  #confirm: string | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { side, clock, parts = {} } = options;
    this.side = side;
    this.#log = (options.log ?? silentLogger).with({ agent: side.agent });
    this.#brake = new DeletionBrake(options.brake);
    this.#quarantine = new Quarantine(this.#log);
    this.#telling = new Telling(options, {
      log: this.#log,
      connection: () => this.#connection,
      compose: (subject) => this.#ends.compose(subject),
      cannotBeTold: (subject, reason, trace) => this.#noteReason(subject, reason, trace),
    });
    this.#ends = new Ends(this.#context(), this.#brake, options.ledger);
    this.#hearing = new Hearing({
      inbox: parts.inbox?.() ?? new Inbox(),
      clock,
      log: this.#log,
      handle: (message) => this.#ends.handle(message),
      answer: (connection, message, outcome) => this.#telling.answer(connection, message, outcome),
    });
    this.#rhythm = this.#makeRhythm();
  }

  /** An object of this side was made, has changed, or is gone; perhaps by this side itself. */
  changed(kind: MirroredKind, old: MirroredObject | undefined, object: MirroredObject | undefined, heard: Heard): void {
    this.#ends.changed(kind, old, object, heard);
  }

  connected(connection: Connection): void {
    this.#connection = connection;
    this.#heardAt = this.#options.clock.now();
    this.#telling.connected();
    this.#ends.connected();
    this.#rhythm.start();
    this.#rhythm.reportChanged();
    this.#telling.pump();
  }

  disconnected(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#telling.disconnected();
    this.#rhythm.stop();
    this.#rhythm.reportChanged();
  }

  receive(connection: Connection, message: Message): void {
    if (connection !== this.#connection) return;
    this.#heardAt = this.#options.clock.now();
    switch (message.type) {
      case 'processed':
        return this.#answered(message);
      case 'list':
        if (this.#ends.mirror?.listed(message)) {
          this.#telling.outbox.answered(message.round);
          this.#compared();
        }
        return this.#telling.pump();
      case 'ping':
        this.#remote = message.report ?? nothing;
        this.#telling.send({ type: 'pong', ...(this.#confirm ? { confirm: this.#confirm } : {}) });
        return this.#rhythm.reportChanged();
      case 'pong':
        if (message.confirm) this.#confirmed(message.confirm);
        return;
      default:
        this.#hearing.hear(connection, message);
    }
  }

  /** A person has confirmed the deletions of this token, on either side. */
  confirmDeletions(token: string): void {
    this.#confirm = token;
    this.#confirmed(token);
    if (this.side.role === 'principal') this.#telling.send({ type: 'pong', confirm: token });
  }

  /** Compares both sides, now. */
  compare(): void {
    this.#telling.tell(this.#ends.mirror ? { about: 'list' } : { about: 'resync' });
  }

  /** When the two sides were last compared. */
  get comparedAt(): number | undefined {
    return this.#comparedAt;
  }

  /** What the other end has still to be told. */
  get pending(): Iterable<Subject> {
    return this.#telling.outbox.subjects();
  }

  /** Waits until what is still to be told has been written down, where it is: for a process that is about to end. */
  written(): Promise<void> {
    return this.#telling.written();
  }

  report(): LinkReport {
    const { outbox } = this.#telling;
    const applications = this.#options.shelf.list('Application').length;
    const brake = this.#brake.report(applications);
    return {
      connected: this.#connection !== undefined,
      pending: outbox.size,
      overflows: outbox.overflows,
      applications,
      quarantined: this.#quarantine.list(),
      ...(brake ? { brake } : {}),
      ...(this.#comparedAt === undefined ? {} : { comparedAt: this.#comparedAt }),
      ...(this.#heardAt === undefined ? {} : { heardAt: this.#heardAt }),
      ...(this.#remote ? { remote: this.#remote } : {}),
    };
  }

  #answered(message: Message & { type: 'processed' }): void {
    const { of, error, equal, also = [] } = message;
    const { outbox } = this.#telling;
    for (const number of also) this.#settled(outbox.answered(number), undefined);
    const subject = error === undefined ? outbox.answered(of) : outbox.refused(of, this.#options.clock.now());
    if (subject?.about === 'list' && (equal || !this.#connection?.peer.fairlead)) this.#compared();
    this.#settled(subject, error, message.trace);
    this.#telling.pump();
  }

  #settled(subject: Subject | undefined, error: string | undefined, trace?: string): void {
    if (!subject) return;
    if (error === undefined) this.#ends.answered(subject);
    if ('name' in subject) this.#noteReason(subject, error, trace);
  }

  /** The reason why something cannot be told stays on the link and on the Application, until it can. */
  #noteReason(subject: NamedSubject, error: string | undefined, trace?: string): void {
    if (!this.#quarantine.note(subject, error, trace)) return;
    this.#rhythm.reportChanged();
    const { about, name, uid } = subject;
    if (about === 'state') void this.#ends.reason(subject.kind, name, uid, error).catch(() => {});
    if (about === 'operation' && error !== undefined) void this.#ends.operationFailed(name, uid, error).catch(() => {});
  }

  #compared(): void {
    this.#comparedAt = this.#options.clock.now();
    this.#rhythm.reportChanged();
  }

  #confirmed(token: string): void {
    if (!this.#brake.confirm(token, 0)) return;
    this.#log.info('deletions were confirmed', { token });
    this.#telling.tell({ about: 'list' });
    this.#rhythm.reportChanged();
  }

  #makeRhythm(): Rhythm {
    const { clock, random, side, onReport, compareMs = 300_000, heartbeatMs = 20_000 } = this.#options;
    const beat = (): void => {
      const { applications, quarantined, brake } = this.report();
      this.#telling.send({ type: 'ping', report: { applications, quarantined, ...(brake ? { brake } : {}) } });
    };
    return new Rhythm({
      clock,
      random,
      compareMs,
      heartbeatMs,
      compare: this.#ends.mirror && (() => this.#telling.tell({ about: 'list' })),
      beat: side.role === 'agent' ? beat : undefined,
      report: () => {
        onReport?.();
        if (side.role === 'agent' && this.#connection) beat();
      },
    });
  }

  #context(): LinkContext {
    const { side, shelf, view, clock, nonce, parts } = this.#options;
    const telling = this.#telling;
    const { outbox } = telling;
    return {
      side,
      shelf,
      clock,
      causes: new Causes(clock),
      rules: { ...rules, ...parts?.rules },
      tell: (subject, cause) => telling.tell(subject, cause),
      untell: (subject) => outbox.untell(subject),
      isPending: (subject) => outbox.has(subject),
      send: (body, cause) => telling.send(body, cause),
      peer: () => this.#connection?.peer ?? { fairlead: true, maxBytes: Number.POSITIVE_INFINITY },
      waiting: (where) => telling.waiting(where),
      *candidates(kind) {
        for (const object of view.list(kind)) yield { kind, object };
      },
      reportChanged: () => this.#rhythm.reportChanged(),
      compared: () => this.#compared(),
      nonce,
      instant: () => new Date(clock.now()).toISOString().replace(/\.\d+Z$/u, 'Z'),
    };
  }
}
