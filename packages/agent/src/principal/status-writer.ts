import { type Agent, agentKind } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import type { ApiClient, Clock, Logger } from '@fairlead/kube';
import { type AgentObservation, statusOf } from './agent-status.ts';

export interface StatusWriterOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** The present observation of an agent; undefined if there is no such Agent. */
  readonly observe: (agent: string) => { readonly known: Agent; readonly observation: AgentObservation } | undefined;
}

const collectMs = 300;

/** Writes the status of Agents. Many changes result in one write. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  /** By agent, cancels its pending write. */
  readonly #due = new Map<string, () => void>();
  #isClosed = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  changed(agent: string): void {
    if (this.#isClosed || this.#due.has(agent)) return;
    const cancel = this.#options.clock.after(collectMs, () => {
      this.#due.delete(agent);
      const now = this.#options.observe(agent);
      if (now) this.#write(agent, now.known, now.observation);
    });
    this.#due.set(agent, cancel);
  }

  /** Nothing is written after this: the caller may close the API next. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#due.values()) cancel();
    this.#due.clear();
  }

  async patch(agent: string, status: object): Promise<void> {
    const { client, namespace } = this.#options;
    await client.patch(agentKind.type, { namespace, name: agent }, 'merge', { status }, { subresource: 'status' });
  }

  #write(agent: string, known: Agent, observation: AgentObservation): void {
    const status = statusOf(observation);
    const gone = Object.fromEntries(
      ['reason', 'brake', 'quarantined'].filter((field) => !(field in status)).map((field) => [field, null]),
    );
    if (isShown(known.status, { ...gone, ...status })) return;
    this.patch(agent, { ...gone, ...status }).catch((error: unknown) => {
      if (this.#isClosed) return;
      this.#options.log.warn('cannot write the status of an agent', {
        agent,
        reason: messageOf(error),
      });
    });
  }
}

/** How old the reported time of the last comparison may be. */
const timeMs = 60_000;

/** Whether the status is already reported. A newer time of comparison alone is written only now and then. */
function isShown(known: object | undefined, next: Record<string, unknown>): boolean {
  const before = (known ?? {}) as Record<string, unknown>;
  return Object.entries(next).every(([name, value]) =>
    name === 'comparedAt'
      ? Date.parse(String(value)) - Date.parse(String(before[name] ?? 0)) < timeMs
      : JSON.stringify(before[name] ?? null) === JSON.stringify(value ?? null),
  );
}
