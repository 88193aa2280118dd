import { type Clock, type Logger, limits } from '@fairlead/kube';
import type { Inbox } from '../core/inbox.ts';
import { laneOf, type Message, subjectOf } from '../core/message.ts';
import { traced } from '../core/trace.ts';
import type { Connection } from './connection.ts';
import { done, type Outcome, outcomeOf } from './outcome.ts';

export interface EventReceiverOptions {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly log: Logger;
  /** Processes a message. */
  readonly handle: (message: Message) => Promise<Outcome>;
  /** Sends the result to the peer. */
  readonly answer: (connection: Connection, message: Message, outcome: Outcome) => void;
}

/**
 * Processes each message of the peer once, those of one lane in order, and acknowledges it when its effect is stored. A peer that sends
 * faster than that is read more slowly.
 */
export class EventReceiver {
  readonly #options: EventReceiverOptions;
  readonly #lanes = new Map<string, Promise<void>>();
  /** How many messages are being processed, or wait for one of their lane. */
  #inProcess = 0;
  #paused: Connection | undefined;

  constructor(options: EventReceiverOptions) {
    this.#options = options;
  }

  receive(connection: Connection, message: Message): void {
    const lane = laneOf(message);
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const after = before.then(() => this.#process(connection, message));
    this.#lanes.set(lane, after);
    this.#inProcess += 1;
    if (this.#inProcess >= limits.agentMessagesInProcess) this.#pause(connection);
    void after.then(() => {
      this.#inProcess -= 1;
      if (this.#inProcess <= limits.agentMessagesInProcess / 2) this.#pause(undefined);
      if (this.#lanes.get(lane) === after) this.#lanes.delete(lane);
    });
  }

  /** Pauses this connection, or none. */
  #pause(connection: Connection | undefined): void {
    if (connection === this.#paused) return;
    this.#paused?.setPaused?.(false);
    this.#paused = connection;
    connection?.setPaused?.(true);
  }

  async #process(connection: Connection, message: Message): Promise<void> {
    const { inbox, answer } = this.#options;
    const subject = subjectOf(message);
    const { epoch, number } = message;
    let outcome: Outcome = done;
    if (!inbox.knows(epoch, subject, number)) {
      outcome = await this.#carryOut(message);
      // A list may have to be sent again if a part of it is lost.
      if (outcome.is === 'done') inbox.done(epoch, subject, number);
    }
    answer(connection, message, outcome);
  }

  async #carryOut(message: Message): Promise<Outcome> {
    const { handle, clock, log } = this.#options;
    const began = clock.now();
    const outcome = await handle(message).catch(outcomeOf);
    const fields = { message: message.label, ms: clock.now() - began, ...traced(message.trace) };
    if (outcome.is === 'later') log.debug('postponed', { ...fields, reason: outcome.reason });
    else if (outcome.is === 'refused') log.debug('refused', { ...fields, reason: outcome.reason });
    else log.debug('processed', fields);
    return outcome;
  }
}
