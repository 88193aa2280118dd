import { LiveRegion } from './live-region.ts';
import type { Terminal } from './terminal.ts';

/**
 * What several things do at the same time: on a terminal each has its lines, drawn anew as they change; elsewhere each new line is
 * written once.
 */
export class Board {
  readonly #terminal: Terminal;
  readonly #region: LiveRegion | undefined;
  readonly #frames = new Map<string, readonly string[]>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#region = terminal.live ? new LiveRegion(terminal) : undefined;
  }

  get live(): boolean {
    return this.#region !== undefined;
  }

  /** Lines that one thing may take so that all have room. */
  room(things: number): number {
    return Math.floor((this.#terminal.rows - 1) / Math.max(1, things));
  }

  draw(name: string, lines: readonly string[]): void {
    this.#frames.set(name, lines);
    this.#region?.draw([...this.#frames.values()].flat());
  }

  tell(lines: readonly string[]): void {
    if (!this.#region) for (const line of lines) this.#terminal.write(`${line}\n`);
  }

  end(): void {
    this.#region?.end();
  }
}
