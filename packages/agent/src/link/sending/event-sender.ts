import type { Logger } from '@fairlead/kube';
import { type Body, type Message, needsAcknowledgement } from '../../core/message.ts';
import { labelOf } from '../../core/message-label.ts';
import type { Outbox, Subject } from '../../core/outbox.ts';
import { beginTrace, carryOn, traced } from '../../core/trace.ts';
import type { Connection } from '../connection.ts';
import type { LinkOptions } from '../link-options.ts';
import type { Outcome } from '../outcome.ts';
import type { NamedSubject } from '../quarantine.ts';
import { AcknowledgementBatch } from './acknowledgement-batch.ts';
import { openOutbox } from './open-outbox.ts';
import { SendLoop } from './send-loop.ts';

export interface EventSenderOptions {
  readonly log: Logger;
  readonly connection: () => Connection | undefined;
  /** The message to send about a subject now, if any. */
  readonly compose: (subject: Subject) => Promise<Body | undefined>;
  readonly onRejected: (subject: NamedSubject, reason: string, trace: string | undefined) => void;
}

/** Sends everything of one side: the subjects of the outbox until they are acknowledged, acknowledgements, and messages that are sent once. */
export class EventSender {
  readonly outbox: Outbox;
  /** Waits until the pending subjects are saved, if they are saved at all. */
  readonly written: () => Promise<void>;
  readonly #link: LinkOptions;
  readonly #options: EventSenderOptions;
  readonly #acknowledgements: AcknowledgementBatch;
  readonly #loop: SendLoop;

  constructor(link: LinkOptions, options: EventSenderOptions) {
    this.#link = link;
    this.#options = options;
    const { outbox, written } = openOutbox(link, options.log);
    this.outbox = outbox;
    this.written = written;
    this.#acknowledgements = new AcknowledgementBatch(link.clock, (of, also, trace) =>
      this.send({ type: 'processed', of, ...(also.length > 0 ? { also } : {}) }, trace),
    );
    const { log, connection, compose, onRejected } = options;
    this.#loop = new SendLoop({
      outbox: this.outbox,
      clock: link.clock,
      window: link.window ?? 512,
      log,
      connection,
      compose,
      post: (to, body, number, trace) => this.#post(to, body, number, trace),
      sizeOf: (to, body, number) => to.sizeOf?.(this.#message(body, number, undefined)) ?? 0,
      tooLarge: (subject, reason, trace) => {
        if ('name' in subject) onRejected(subject, reason, trace);
      },
    });
  }

  /** On a new connection everything pending is sent again first. */
  connected(): void {
    this.outbox.reconnected();
  }

  disconnected(): void {
    this.#loop.stop();
    this.#acknowledgements.drop();
  }

  pump(): void {
    this.#loop.pump();
  }

  /** `cause`: the traceparent of the message that this results from; without one a trace begins. */
  enqueue(subject: Subject, cause?: string): void {
    const { outbox } = this;
    const { nonce } = this.#link;
    const before = outbox.overflows;
    outbox.enqueue(subject, cause === undefined ? beginTrace(nonce) : carryOn(cause, nonce));
    if (outbox.overflows > before) {
      this.#options.log.warn('the outbox is full: a resync will find the changes that do not fit', {
        entries: outbox.size,
      });
    }
    this.#loop.pump();
  }

  /** How many of these states are pending. */
  waiting(where: (subject: Subject & { about: 'state' }) => boolean): number {
    let count = 0;
    for (const subject of this.outbox.subjects()) if (subject.about === 'state' && where(subject)) count += 1;
    return count;
  }

  /** Sends the result of a message, unless there is none yet. */
  answer(connection: Connection, { number, trace }: Message, outcome: Outcome): void {
    if (connection !== this.#options.connection() || outcome.is === 'later' || outcome.is === 'answered') return;
    if (outcome.is === 'refused') this.send({ type: 'processed', of: number, error: outcome.reason }, trace);
    else if (connection.peer.fairlead) this.#acknowledgements.add(number, trace);
    else this.send({ type: 'processed', of: number }, trace);
  }

  /** Sends a message once. `cause`: the traceparent of what it results from, if any. */
  send(body: Body, cause?: string): void {
    const connection = this.#options.connection();
    if (!connection) return;
    const trace = cause === undefined ? undefined : carryOn(cause, this.#link.nonce);
    this.#post(connection, body, needsAcknowledgement(body) ? this.outbox.nextNumber() : 0, trace);
  }

  #post(connection: Connection, body: Body, number: number, trace: string | undefined): void {
    const message = this.#message(body, number, trace);
    if (trace !== undefined) this.#options.log.debug('sent', { message: message.label, ...traced(trace) });
    connection.send(message);
  }

  #message(body: Body, number: number, trace: string | undefined): Message {
    const label = `${number} ${labelOf(body)}`;
    return { ...body, epoch: this.#link.epoch, number, label, ...(trace === undefined ? {} : { trace }) };
  }
}
