import { formatTime } from '@fairlead/apimachinery';
import { silentLogger } from '@fairlead/kube';
import { DeletionBrake } from '../core/brake.ts';
import { Inbox } from '../core/inbox.ts';
import type { MirroredKind, MirroredObject } from '../core/kinds.ts';
import type { Message, Reported } from '../core/message.ts';
import type { Subject } from '../core/outbox.ts';
import { rules } from '../core/rules.ts';
import type { Side } from '../core/side.ts';
import type { Connection } from './connection.ts';
import { LinkEndpoints } from './endpoints/link-endpoints.ts';
import { EventReceiver } from './event-receiver.ts';
import type { LinkContext, LinkOptions, LinkReport } from './link-options.ts';
import { LinkSchedule } from './link-schedule.ts';
import type { ObservedChange } from './mirror-store.ts';
import { type NamedSubject, Quarantine } from './quarantine.ts';
import { RecentTraces } from './recent-traces.ts';
import { EventSender } from './sending/event-sender.ts';

/**
 * One side of a link between the principal and one agent.
 *
 * - Level-triggered: an event names a uid; its state is read when a message about it is sent.
 * - A message is acknowledged when its effect is stored, and sent again until it is acknowledged.
 * - On every connect, and periodically, the mirror's side compares all its objects with all objects of the source.
 */
export class Link {
  readonly side: Side;
  readonly #options: LinkOptions;
  readonly #log: NonNullable<LinkOptions['log']>;
  readonly #brake: DeletionBrake;
  readonly #quarantine: Quarantine;
  readonly #sender: EventSender;
  readonly #endpoints: LinkEndpoints;
  readonly #receiver: EventReceiver;
  readonly #schedule: LinkSchedule;
  #connection: Connection | undefined;
  #comparedAt: number | undefined;
  #receivedAt: number | undefined;
  #remote: Reported | undefined;
  #confirm: string | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { side, clock, parts = {} } = options;
    this.side = side;
    this.#log = (options.log ?? silentLogger).with({ agent: side.agent });
    this.#brake = new DeletionBrake(options.brake);
    this.#quarantine = new Quarantine(this.#log);
    this.#sender = new EventSender(options, {
      log: this.#log,
      connection: () => this.#connection,
      compose: (subject) => this.#endpoints.compose(subject),
      onRejected: (subject, reason, trace) => this.#noteReason(subject, reason, trace),
    });
    this.#endpoints = new LinkEndpoints(this.#context(), this.#brake, options.ledger);
    this.#receiver = new EventReceiver({
      inbox: parts.inbox?.() ?? new Inbox(),
      clock,
      log: this.#log,
      handle: (message) => this.#endpoints.handle(message),
      answer: (connection, message, outcome) => this.#sender.answer(connection, message, outcome),
    });
    this.#schedule = this.#makeSchedule();
  }

  /** An object of this side was created, changed or deleted, perhaps by this side itself. */
  changed(
    kind: MirroredKind,
    old: MirroredObject | undefined,
    object: MirroredObject | undefined,
    change: ObservedChange,
  ): void {
    this.#endpoints.changed(kind, old, object, change);
  }

  connected(connection: Connection): void {
    this.#connection = connection;
    this.#receivedAt = this.#options.clock.now();
    this.#sender.connected();
    this.#endpoints.connected();
    this.#schedule.start();
    this.#schedule.reportChanged();
    this.#sender.pump();
  }

  disconnected(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#sender.disconnected();
    this.#schedule.stop();
    this.#schedule.reportChanged();
  }

  receive(connection: Connection, message: Message): void {
    if (connection !== this.#connection) return;
    this.#receivedAt = this.#options.clock.now();
    switch (message.type) {
      case 'processed':
        return this.#acknowledged(message);
      case 'list':
        if (this.#endpoints.mirror?.listed(message)) {
          this.#sender.outbox.acknowledged(message.round);
          this.#compared();
        }
        return this.#sender.pump();
      case 'ping':
        if (message.report) this.#remote = message.report;
        this.#sender.send({ type: 'pong', ...(this.#confirm ? { confirm: this.#confirm } : {}) });
        return this.#schedule.reportChanged();
      case 'pong':
        if (message.confirm) this.#confirmed(message.confirm);
        return;
      default:
        this.#receiver.receive(connection, message);
    }
  }

  /** A person has confirmed the deletions of this token, on either side. */
  confirmDeletions(token: string): void {
    this.#confirm = token;
    this.#confirmed(token);
    if (this.side.role === 'principal') this.#sender.send({ type: 'pong', confirm: token });
  }

  /** Compares both sides now. */
  compare(): void {
    this.#sender.enqueue(this.#endpoints.mirror ? { about: 'list' } : { about: 'resync' });
  }

  /** When the two sides were last compared. */
  get comparedAt(): number | undefined {
    return this.#comparedAt;
  }

  /** The unacknowledged subjects. */
  get pending(): Iterable<Subject> {
    return this.#sender.outbox.subjects();
  }

  /** Waits until the pending subjects are saved, if they are saved at all: for a process that is about to exit. */
  written(): Promise<void> {
    return this.#sender.written();
  }

  report(): LinkReport {
    const { outbox } = this.#sender;
    const applications = this.#options.store.list('Application').length;
    const brake = this.#brake.report(applications);
    return {
      connected: this.#connection !== undefined,
      pending: outbox.size,
      overflows: outbox.overflows,
      applications,
      quarantined: this.#quarantine.list(),
      ...(brake ? { brake } : {}),
      ...(this.#comparedAt === undefined ? {} : { comparedAt: this.#comparedAt }),
      ...(this.#receivedAt === undefined ? {} : { receivedAt: this.#receivedAt }),
      ...(this.#remote ? { remote: this.#remote } : {}),
    };
  }

  #acknowledged(message: Message & { type: 'processed' }): void {
    const { of, error, equal, also = [] } = message;
    const { outbox } = this.#sender;
    for (const number of also) this.#settled(outbox.acknowledged(number), undefined);
    const subject = error === undefined ? outbox.acknowledged(of) : outbox.refused(of, this.#options.clock.now());
    if (subject?.about === 'list' && (equal || !this.#connection?.peer.fairlead)) this.#compared();
    this.#settled(subject, error, message.trace);
    this.#sender.pump();
  }

  #settled(subject: Subject | undefined, error: string | undefined, trace?: string): void {
    if (!subject) return;
    if (error === undefined) this.#endpoints.acknowledged(subject);
    if ('name' in subject) this.#noteReason(subject, error, trace);
  }

  /** The reason why a subject cannot be sent is reported on the link and on the Application until it can. */
  #noteReason(subject: NamedSubject, error: string | undefined, trace?: string): void {
    if (!this.#quarantine.note(subject, error, trace)) return;
    this.#schedule.reportChanged();
    const { about, name, uid } = subject;
    if (about === 'state') void this.#endpoints.reason(subject.kind, name, uid, error).catch(() => {});
    if (about === 'operation' && error !== undefined)
      void this.#endpoints.operationFailed(name, uid, error).catch(() => {});
  }

  #compared(): void {
    this.#comparedAt = this.#options.clock.now();
    this.#schedule.reportChanged();
  }

  #confirmed(token: string): void {
    if (!this.#brake.confirm(token, 0)) return;
    this.#log.info('confirmed deletions', { token });
    this.#sender.enqueue({ about: 'list' });
    this.#schedule.reportChanged();
  }

  #makeSchedule(): LinkSchedule {
    const { clock, random, side, onReport, compareMs = 300_000, heartbeatMs = 20_000 } = this.#options;
    const beat = (): void => {
      const { applications, quarantined, brake } = this.report();
      this.#sender.send({ type: 'ping', report: { applications, quarantined, ...(brake ? { brake } : {}) } });
    };
    return new LinkSchedule({
      clock,
      random,
      compareMs,
      heartbeatMs,
      compare: this.#endpoints.mirror && (() => this.#sender.enqueue({ about: 'list' })),
      beat: side.role === 'agent' ? beat : undefined,
      report: () => {
        onReport?.();
        if (side.role === 'agent' && this.#connection) beat();
      },
    });
  }

  #context(): LinkContext {
    const { side, store, view, clock, nonce, parts } = this.#options;
    const sender = this.#sender;
    const { outbox } = sender;
    return {
      side,
      store,
      clock,
      traces: new RecentTraces(clock),
      rules: { ...rules, ...parts?.rules },
      enqueue: (subject, cause) => sender.enqueue(subject, cause),
      cancel: (subject) => outbox.cancel(subject),
      isPending: (subject) => outbox.has(subject),
      send: (body, cause) => sender.send(body, cause),
      peer: () => this.#connection?.peer ?? { fairlead: true, maxBytes: Number.POSITIVE_INFINITY },
      waiting: (where) => sender.waiting(where),
      *candidates(kind) {
        for (const object of view.list(kind)) yield { kind, object };
      },
      reportChanged: () => this.#schedule.reportChanged(),
      compared: () => this.#compared(),
      nonce,
      timestamp: () => formatTime(clock.now()),
    };
  }
}
