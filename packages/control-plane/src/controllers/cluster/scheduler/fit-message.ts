import type { Rejection } from './filter.ts';

/** The number of occurrences of each reason, for `0/3 nodes are available: 1 …, 2 …`. */
export class Reasons {
  readonly #counts = new Map<string, number>();

  add({ reasons }: Pick<Rejection, 'reasons'>, times = 1): void {
    if (times === 0) return;
    for (const reason of reasons) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + times);
  }

  toString(): string {
    const lines = [...this.#counts].map(([reason, count]) => `${count} ${reason}`);
    return lines.sort((a, b) => (a < b ? -1 : 1)).join(', ');
  }
}

/** The message of the pod's condition and of its events. */
export function fitMessage(nodes: number, reasons: string, afterwards: string): string {
  return [
    `0/${nodes} nodes are available:`,
    ...(reasons ? [`${reasons}.`] : []),
    ...(afterwards ? [afterwards] : []),
  ].join(' ');
}
