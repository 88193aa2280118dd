import { messageOf } from '@fairlead/apimachinery';
import type { Clock, Logger } from '@fairlead/kube';
import { type Body, versionOf } from '../../core/message.ts';
import type { Entry, Outbox, Subject } from '../../core/outbox.ts';
import { traced } from '../../core/trace.ts';
import type { Connection } from '../connection.ts';

export interface SendLoopOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Logger;
  /** How many messages may be unacknowledged at once. */
  readonly window: number;
  readonly connection: () => Connection | undefined;
  /** The message to send about a subject now, if any. */
  readonly compose: (subject: Subject) => Promise<Body | undefined>;
  readonly post: (connection: Connection, body: Body, number: number, trace: string | undefined) => void;
  /** The size of a message. */
  readonly sizeOf: (connection: Connection, body: Body, number: number) => number;
  readonly tooLarge: (subject: Subject, reason: string, trace: string | undefined) => void;
}

/** Sends the subjects of the outbox as far as the window allows, and again if they are not acknowledged in time. */
export class SendLoop {
  readonly #options: SendLoopOptions;
  #cancelRetry = () => {};
  #retryArmed = false;

  constructor(options: SendLoopOptions) {
    this.#options = options;
  }

  /** Sends ready subjects as far as the window allows. */
  pump(): void {
    const { clock, window, outbox, connection } = this.#options;
    for (let open = connection(); open && outbox.inFlight < window; open = connection()) {
      const entry = outbox.take(clock.now());
      if (!entry) break;
      void this.#say(open, entry);
    }
    this.#armRetry();
  }

  stop(): void {
    this.#cancelRetry();
  }

  async #say(connection: Connection, entry: Entry): Promise<void> {
    const { outbox, compose, post, log } = this.#options;
    try {
      const body = await compose(entry.subject);
      if (!outbox.isCurrent(entry) || connection !== this.#options.connection()) return;
      if (!body) outbox.drop(entry);
      else if (!this.#isTooLarge(connection, entry, body)) {
        post(connection, body, outbox.numberFor(entry, versionOf(body)), entry.trace);
      }
    } catch (error) {
      const reason = messageOf(error);
      log.debug('cannot be sent now', { about: entry.subject.about, reason, ...traced(entry.trace) });
    } finally {
      this.pump();
    }
  }

  #isTooLarge(connection: Connection, entry: Entry, body: Body): boolean {
    const { outbox, clock, sizeOf, tooLarge } = this.#options;
    const size = sizeOf(connection, body, entry.number);
    const { maxBytes } = connection.peer;
    if (size <= maxBytes) return false;
    const subject = outbox.refused(entry.number, clock.now());
    const reason = `its size of ${mebibytes(size)} MiB exceeds the peer's limit of ${mebibytes(maxBytes)} MiB`;
    if (subject) tooLarge(subject, reason, entry.trace);
    return true;
  }

  /** One timer, for the first entry that is due; it is set again if it fires too early. */
  #armRetry(): void {
    const { clock, outbox, connection } = this.#options;
    if (this.#retryArmed || !connection()) return;
    const wait = outbox.nextDueIn(clock.now());
    if (wait === undefined) return;
    this.#retryArmed = true;
    const cancel = clock.after(Math.min(Math.max(wait, 1), 1_000), () => {
      this.#retryArmed = false;
      outbox.wake(clock.now());
      this.pump();
    });
    this.#cancelRetry = () => {
      this.#retryArmed = false;
      cancel();
    };
  }
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
