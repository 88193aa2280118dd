import { type Logger, silentLogger } from '@fairlead/kube';
import { DeletionBrake } from '../core/brake.ts';
import { Inbox } from '../core/inbox.ts';
import { isSource, type MirroredKind, type MirroredObject } from '../core/kinds.ts';
import { type Body, isAnswered, laneOf, type Message, type Reported, subjectOf } from '../core/message.ts';
import { labelOf } from '../core/message-label.ts';
import { Outbox, type Subject } from '../core/outbox.ts';
import { rules } from '../core/rules.ts';
import type { Side } from '../core/translate.ts';
import { Answers } from './answers.ts';
import type { Connection } from './connection.ts';
import type { LinkContext, LinkOptions, LinkReport } from './link-options.ts';
import { MirrorEnd } from './mirror-end.ts';
import { AgentFlow, HubFlow } from './operation-flow.ts';
import { done, type Outcome, outcomeOf, refused } from './outcome.ts';
import { type NamedSubject, Quarantine } from './quarantine.ts';
import type { Heard } from './shelf.ts';
import { SourceEnd } from './source-end.ts';
import { Teller } from './teller.ts';

/** So long changes of a report are gathered. */
const reportMs = 200;
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
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #log: Logger;
  readonly #brake: DeletionBrake;
  readonly #source: SourceEnd | undefined;
  readonly #mirror: MirrorEnd | undefined;
  readonly #hub: HubFlow | undefined;
  readonly #agent: AgentFlow | undefined;
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #quarantine: Quarantine;
  #connection: Connection | undefined;
  readonly #answers: Answers;
  readonly #teller: Teller;
  #cancelCompare = () => {};
  #cancelHeartbeat = () => {};
  #comparedAt: number | undefined;
  #heardAt: number | undefined;
  #remote: Reported | undefined;
  #confirm: string | undefined;
  #reportPending = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.side = options.side;
    this.#log = (options.log ?? silentLogger).with({ agent: options.side.agent });
    this.#quarantine = new Quarantine(this.#log);
    const { parts: own = {} } = options;
    const outbox = { random: options.random, ...options.outbox };
    this.#outbox = own.outbox?.(outbox) ?? new Outbox(outbox);
    this.#inbox = own.inbox?.() ?? new Inbox();
    this.#brake = new DeletionBrake(options.brake);
    this.#answers = new Answers(options.clock, (of, also) =>
      this.#send({ type: 'processed', of, ...(also.length > 0 ? { also } : {}) }),
    );
    this.#teller = this.#makeTeller();
    const { role, mode } = options.side;
    const context = this.#context();
    const source = isSource(role, mode);
    this.#source = source ? new SourceEnd(context) : undefined;
    this.#mirror = source ? undefined : new MirrorEnd(context, this.#brake);
    this.#hub = role === 'principal' ? new HubFlow(context) : undefined;
    this.#agent = role === 'agent' ? new AgentFlow(context, options.ledger!) : undefined;
  }

  /** An object of this side was made, has changed, or is gone; perhaps by this side itself. */
  changed(
    kind: MirroredKind,
    old: MirroredObject | undefined,
    object: MirroredObject | undefined,
    { own, settled }: Heard,
  ): void {
    this.#source?.changed(kind, old, object);
    this.#mirror?.changed(kind, old, object, own);
    if (kind !== 'Application') return;
    this.#hub?.changed(object);
    if (!settled) this.#agent?.changed(old, object);
  }

  connected(connection: Connection): void {
    this.#connection = connection;
    this.#heardAt = this.#options.clock.now();
    this.#outbox.reconnected();
    this.#hub?.connected();
    if (this.#mirror) this.#compareAll();
    else if (!connection.peer.fairlead) this.#tell({ about: 'resync' });
    this.#compareLater();
    this.#beat();
    this.#reportChanged();
    this.#teller.pump();
  }

  disconnected(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#teller.stop();
    this.#answers.drop();
    this.#cancelCompare();
    this.#cancelHeartbeat();
    this.#reportChanged();
  }

  /** A person has confirmed the deletions of this token, on either side. */
  confirmDeletions(token: string): void {
    this.#confirm = token;
    this.#confirmed(token);
    if (this.side.role === 'principal') this.#send({ type: 'pong', confirm: token });
  }

  /** argocd-agent's source lists what it has, and has to be asked about everything else. */
  #compareAll(): void {
    this.#tell({ about: 'list' });
    if (this.#connection?.peer.fairlead ?? true) return;
    for (const { kind, name, uid } of this.#mirror!.list()) this.#tell({ about: 'verify', kind, name, uid });
  }

  /** Compares both sides, now. */
  compare(): void {
    this.#tell(this.#mirror ? { about: 'list' } : { about: 'resync' });
  }

  /** When the two sides were last found, or made, equal. */
  get comparedAt(): number | undefined {
    return this.#comparedAt;
  }

  report(): LinkReport {
    const applications = this.#options.shelf.list('Application').length;
    const brake = this.#brake.report(applications);
    return {
      connected: this.#connection !== undefined,
      pending: this.#outbox.size,
      overflows: this.#outbox.overflows,
      applications,
      quarantined: this.#quarantine.list(),
      ...(brake ? { brake } : {}),
      ...(this.#comparedAt === undefined ? {} : { comparedAt: this.#comparedAt }),
      ...(this.#heardAt === undefined ? {} : { heardAt: this.#heardAt }),
      ...(this.#remote ? { remote: this.#remote } : {}),
    };
  }

  receive(connection: Connection, message: Message): void {
    if (connection !== this.#connection) return;
    this.#heardAt = this.#options.clock.now();
    switch (message.type) {
      case 'processed':
        return this.#answered(message);
      case 'list':
        if (this.#mirror?.listed(message)) {
          this.#outbox.answered(message.round);
          this.#compared();
        }
        return this.#teller.pump();
      case 'ping':
        this.#remote = message.report ?? nothing;
        this.#send({ type: 'pong', ...(this.#confirm ? { confirm: this.#confirm } : {}) });
        return this.#reportChanged();
      case 'pong':
        if (message.confirm) this.#confirmed(message.confirm);
        return;
      default:
        this.#enqueue(connection, message);
    }
  }

  #enqueue(connection: Connection, message: Message): void {
    const lane = laneOf(message);
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const after = before.then(() => this.#process(connection, message));
    this.#lanes.set(lane, after);
    void after.then(() => {
      if (this.#lanes.get(lane) === after) this.#lanes.delete(lane);
    });
  }

  async #process(connection: Connection, message: Message): Promise<void> {
    const subject = subjectOf(message);
    const { epoch, number } = message;
    let outcome: Outcome = done;
    if (!this.#inbox.knows(epoch, subject, number)) {
      try {
        outcome = await this.#handle(message);
      } catch (error) {
        outcome = outcomeOf(error);
      }
      if (outcome.is === 'later') this.#log.debug('left for later', { message: message.label, reason: outcome.reason });
      // A list may have to be said again, should a part of it be lost.
      if (outcome.is === 'done') this.#inbox.done(epoch, subject, number);
    }
    if (connection !== this.#connection || outcome.is === 'later' || outcome.is === 'answered') return;
    if (outcome.is === 'refused') this.#send({ type: 'processed', of: number, error: outcome.reason });
    else if (connection.peer.fairlead) this.#answers.add(number);
    else this.#send({ type: 'processed', of: number });
  }

  async #handle(message: Message): Promise<Outcome> {
    const mirror = this.#mirror;
    const source = this.#source;
    switch (message.type) {
      case 'upsert':
        return mirror
          ? this.#upsert(mirror, message)
          : refused(`the ${this.side.role} is the source: it takes no state`);
      case 'delete':
        return mirror ? mirror.delete(message) : source!.mirrorGone(message);
      case 'verify':
        // To argocd-agent's mirrors its list comes one object at a time.
        if (mirror)
          this.#tell({ about: 'verify', kind: message.item.kind, name: message.item.name, uid: message.item.uid });
        return source ? source.verify(message) : done;
      case 'verify-all':
        for (const item of message.items) source?.verify({ type: 'verify', item });
        return done;
      case 'list-request':
        return source ? source.answerList(message, message.number) : refused('only the source has a list');
      case 'resync':
        if (mirror) this.#compareAll();
        return done;
      case 'status':
        return this.#hub && source
          ? this.#hub.status(message)
          : refused('the status of an Application is its source’s');
      case 'operation':
      case 'terminate':
        return this.#agent ? this.#agent.operation(message) : refused('operations run where the agent is');
      case 'error':
        return this.#hub ? this.#reason(message.kind, message.name, undefined, message.message) : done;
      default:
        return refused('not understood');
    }
  }

  async #upsert(mirror: MirrorEnd, message: Message & { type: 'upsert' }): Promise<Outcome> {
    const outcome = await mirror.upsert(message);
    const { name, uid = '' } = message.object.metadata;
    if (message.kind === 'Application') this.#hub?.remind(name, uid, message.object);
    return outcome;
  }

  #answered(message: Message & { type: 'processed' }): void {
    const { of, error, equal, also = [] } = message;
    for (const number of also) this.#settled(this.#outbox.answered(number), undefined);
    const subject =
      error === undefined ? this.#outbox.answered(of) : this.#outbox.refused(of, this.#options.clock.now());
    if (subject?.about === 'list' && (equal || !this.#connection?.peer.fairlead)) this.#compared();
    this.#settled(subject, error);
    this.#teller.pump();
  }

  #settled(subject: Subject | undefined, error: string | undefined): void {
    if (!subject) return;
    if (error === undefined) this.#mirror?.answered(subject);
    if ('name' in subject) this.#noteReason(subject, error);
  }

  /** The reason why something cannot be told stays on the link and, on the hub, on the Application, until it can. */
  #noteReason(subject: NamedSubject, error: string | undefined): void {
    if (!this.#quarantine.note(subject, error)) return;
    this.#reportChanged();
    if (subject.about === 'state') void this.#reason(subject.kind, subject.name, subject.uid, error).catch(() => {});
    if (subject.about === 'operation' && error !== undefined) {
      void this.#hub?.operationFailed(subject.name, subject.uid, error).catch(() => {});
    }
  }

  async #reason(
    kind: MirroredKind,
    name: string,
    uid: string | undefined,
    reason: string | undefined,
  ): Promise<Outcome> {
    if (kind !== 'Application' || !this.#hub) return done;
    const known = uid ?? this.#options.shelf.get(kind, name)?.metadata.uid;
    return known === undefined ? done : this.#hub.reason(name, known, reason);
  }

  #tell(subject: Subject): void {
    const before = this.#outbox.overflows;
    this.#outbox.tell(subject);
    if (this.#outbox.overflows > before) {
      this.#log.warn('the outbox is full: what does not fit is found by comparing everything, later', {
        entries: this.#outbox.size,
      });
    }
    this.#teller.pump();
  }

  #makeTeller(): Teller {
    const { clock, window = 512 } = this.#options;
    return new Teller({
      outbox: this.#outbox,
      clock,
      window,
      log: this.#log,
      connection: () => this.#connection,
      compose: (subject) => this.#compose(subject),
      post: (connection, body, number) => this.#post(connection, body, number),
      sizeOf: (connection, body, number) => connection.sizeOf?.(this.#message(body, number)) ?? 0,
      tooLarge: (subject, reason) => {
        if ('name' in subject) this.#noteReason(subject, reason);
      },
    });
  }

  async #compose(subject: Subject): Promise<Body | undefined> {
    switch (subject.about) {
      case 'state':
        return this.#source?.compose(subject);
      case 'gone':
      case 'verify':
      case 'ask':
      case 'list':
        return this.#mirror?.compose(subject);
      case 'status':
        return this.#agent?.compose(subject);
      case 'operation':
        return this.#hub?.compose(subject);
      case 'resync':
        return { type: 'resync' };
    }
  }

  #compareLater(): void {
    const { clock, random, compareMs = 300_000 } = this.#options;
    this.#cancelCompare();
    if (!this.#mirror) return;
    this.#cancelCompare = clock.after(compareMs * (0.8 + 0.4 * random()), () => {
      this.#tell({ about: 'list' });
      this.#compareLater();
    });
  }

  #compared(): void {
    this.#comparedAt = this.#options.clock.now();
    this.#reportChanged();
  }

  #beat(): void {
    const { clock, heartbeatMs = 20_000 } = this.#options;
    this.#cancelHeartbeat();
    if (this.side.role !== 'agent' || !this.#connection) return;
    this.#cancelHeartbeat = clock.after(heartbeatMs, () => {
      this.#send({ type: 'ping', report: this.#reported() });
      this.#beat();
    });
  }

  #reported(): Reported {
    const { applications, quarantined, brake } = this.report();
    return { applications, quarantined, ...(brake ? { brake } : {}) };
  }

  #confirmed(token: string): void {
    if (!this.#brake.confirm(token, 0)) return;
    this.#log.info('deletions were confirmed', { token });
    this.#tell({ about: 'list' });
    this.#reportChanged();
  }

  /** Many changes make one report. */
  #reportChanged(): void {
    if (this.#reportPending) return;
    this.#reportPending = true;
    this.#options.clock.after(reportMs, () => {
      this.#reportPending = false;
      this.#options.onReport?.();
      if (this.#connection && this.side.role === 'agent') this.#send({ type: 'ping', report: this.#reported() });
    });
  }

  #send(body: Body): void {
    if (this.#connection) this.#post(this.#connection, body, isAnswered(body) ? this.#outbox.nextNumber() : 0);
  }

  #post(connection: Connection, body: Body, number: number): void {
    connection.send(this.#message(body, number));
  }

  #message(body: Body, number: number): Message {
    return { ...body, epoch: this.#options.epoch, number, label: `${number} ${labelOf(body)}` };
  }

  #context(): LinkContext {
    const { side, shelf, view, clock, nonce } = this.#options;
    const outbox = this.#outbox;
    return {
      side,
      shelf,
      clock,
      rules: { ...rules, ...this.#options.parts?.rules },
      tell: (subject) => this.#tell(subject),
      untell: (subject) => outbox.untell(subject),
      isPending: (subject) => outbox.has(subject),
      send: (body) => this.#send(body),
      peer: () => this.#connection?.peer ?? { fairlead: true, maxBytes: Number.POSITIVE_INFINITY },
      waiting(about, where) {
        let count = 0;
        for (const subject of outbox.subjects()) {
          if (subject.about === about && where(subject as Subject & { about: typeof about })) count += 1;
        }
        return count;
      },
      *candidates(kind) {
        for (const object of view.list(kind)) yield { kind, object };
      },
      reportChanged: () => this.#reportChanged(),
      compared: () => this.#compared(),
      nonce,
      instant: () => new Date(clock.now()).toISOString().replace(/\.\d+Z$/u, 'Z'),
    };
  }
}
