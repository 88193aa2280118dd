/** A refusal is reported for this long while the agent has a stream; its heartbeats trigger the update that removes it. */
const refusalMs = 10 * 60_000;

/** By agent, why the last connection under its name was refused. */
export class Refusals {
  readonly #last = new Map<string, { readonly reason: string; readonly at: number }>();

  note(agent: string, reason: string, at: number): void {
    this.#last.set(agent, { reason, at });
  }

  forget(agent: string): void {
    this.#last.delete(agent);
  }

  /** With `now`, only a recent one. */
  of(agent: string, now: number | undefined): string | undefined {
    const last = this.#last.get(agent);
    return last && (now === undefined || now - last.at <= refusalMs) ? last.reason : undefined;
  }
}
