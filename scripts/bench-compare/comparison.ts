import type { Figure } from '../bench.ts';

/** One round: the same benchmark before and after. */
export interface Measured {
  readonly before: readonly Figure[];
  readonly after: readonly Figure[];
}

export interface ComparedFigure {
  readonly text: string;
  /** A duration that has grown, or a rate that has fallen, by more than the tolerance. */
  readonly isSlower: boolean;
}

const durations = new Set(['s', 'ms', 'µs', 'ns']);
const tolerance = 1.05;
const isRate = (unit: string): boolean => unit.endsWith('/s');

const best = (rounds: readonly (readonly Figure[])[], { name, unit }: Figure): number | undefined => {
  const values = rounds.flatMap((figures) =>
    figures.filter((figure) => figure.name === name).map(({ value }) => value),
  );
  if (values.length === 0) return undefined;
  return isRate(unit) ? Math.max(...values) : Math.min(...values);
};

const short = (value: number) => Number(value.toPrecision(4));

const named = (figures: readonly Figure[], name: string): number =>
  figures.find((figure) => figure.name === name)?.value ?? Number.NaN;

const ratioOf = (old: number, now: number): number =>
  old === 0 ? (now === 0 ? 1 : Number.POSITIVE_INFINITY) : now / old;

/** Compares the best rounds of each figure that both revisions have. The ratio of each round shows whether a direction repeats. */
export function comparison(rounds: readonly Measured[]): ComparedFigure[] {
  const figures = rounds[0]?.after ?? [];
  const before = rounds.map((round) => round.before);
  const after = rounds.map((round) => round.after);
  return figures.flatMap((figure) => {
    const { name, unit } = figure;
    const old = best(before, figure);
    const now = best(after, figure);
    if (old === undefined || now === undefined) return [];
    const ratio = ratioOf(old, now);
    const isSlower = isRate(unit) ? ratio * tolerance < 1 : durations.has(unit) && ratio > tolerance;
    const mark = isSlower ? ' slower' : '';
    const byRound = rounds.map((round) => ratioOf(named(round.before, name), named(round.after, name)).toFixed(2));
    const detail = rounds.length > 1 ? ` (by round ${byRound.join(', ')})` : '';
    return [{ text: `${name}: ${short(old)} → ${short(now)} ${unit}, ${ratio.toFixed(2)}×${mark}${detail}`, isSlower }];
  });
}
