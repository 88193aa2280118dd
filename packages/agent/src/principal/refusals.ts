/** So long a refusal is told of though the agent has a stream; its heartbeats see to it that it is not for longer. */
const refusalMs = 10 * 60_000;

/** By agent, why it, or whoever came under its name, was last refused. */
export class Refusals {
  readonly #last = new Map<string, { readonly reason: string; readonly at: number }>();

  note(agent: string, reason: string, at: number): void {
    this.#last.set(agent, { reason, at });
  }

  forget(agent: string): void {
    this.#last.delete(agent);
  }

  /** With `now`, only what is not long ago. */
  of(agent: string, now: number | undefined): string | undefined {
    const last = this.#last.get(agent);
    return last && (now === undefined || now - last.at <= refusalMs) ? last.reason : undefined;
  }
}
