import type { Message } from '@fairlead/agent';
import type { SimProcess } from '../../sim-process.ts';

/** The message with which an agent requests a new token. */
export const refreshRequest = { type: 'refresh-token', label: 'refresh token' } as never as Message;

export interface StreamTokenOptions {
  readonly agent: SimProcess;
  readonly principal: SimProcess;
  readonly lifeMs: () => number;
  readonly request: () => void;
  /** The principal ends the stream and ignores later messages on it. */
  readonly end: () => void;
}

/** The token of a stream: it expires on the principal, unless the agent has requested a new one in time. */
export class StreamToken {
  readonly #options: StreamTokenOptions;
  #cancelExpiry = () => {};
  #cancelRequest = () => {};

  constructor(options: StreamTokenOptions) {
    this.#options = options;
    this.refreshed();
    this.#requestLater();
  }

  /** The principal has received a message of the agent. */
  refreshed(): void {
    const { principal, lifeMs } = this.#options;
    this.#cancelExpiry();
    this.#cancelExpiry = principal.after(lifeMs(), () => this.expire());
  }

  expire(): void {
    this.stop();
    if (!this.#options.principal.crashed) this.#options.end();
  }

  stop(): void {
    this.#cancelExpiry();
    this.#cancelRequest();
  }

  /** Twice in its lifetime, in case the first is lost. */
  #requestLater(): void {
    const { agent, lifeMs, request } = this.#options;
    this.#cancelRequest = agent.after(lifeMs() / 3, () => {
      request();
      this.#requestLater();
    });
  }
}
