import { LiveRegion } from './live-region.ts';
import type { Terminal } from './terminal.ts';

/**
 * The progress of several things at the same time: on a terminal each has lines that are updated in place; otherwise each new line is
 * printed once.
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

  /** The number of lines for each thing so that all fit. */
  room(things: number): number {
    return Math.floor((this.#terminal.rows - 1) / Math.max(1, things));
  }

  draw(name: string, lines: readonly string[]): void {
    this.#frames.set(name, lines);
    this.#region?.draw([...this.#frames.values()].flat());
  }

  print(lines: readonly string[]): void {
    if (!this.#region) for (const line of lines) this.#terminal.write(`${line}\n`);
  }

  end(): void {
    this.#region?.end();
  }
}
