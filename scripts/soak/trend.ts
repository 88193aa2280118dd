import { type Measure, type MeasureName, measureNames, measures, type Sample } from './measures.ts';

/** Fewer points show no trend. */
const minPoints = 8;
/** One-sided, 1 %: how sure a trend must be. */
const minZ = 2.33;

export interface Trend {
  readonly process: string;
  readonly measure: MeasureName;
  readonly points: number;
  readonly median: number;
  readonly max: number;
  /** The robust slope times the length of the run, so that a slope that is measured for a part of it counts in full. */
  readonly growth: number;
  /** How much growth is allowed. */
  readonly limit: number;
  readonly result: 'flat' | 'grows' | 'too short';
}

/**
 * The trend of each measure of each process after its warm-up. The slope is the median of the slopes between all pairs of points of the
 * same life of a process (Theil and Sen), so neither single peaks nor restarts count. A measure grows if the slope times the duration is
 * above the limit, and if points rise more often than chance allows (Mann and Kendall).
 */
export function trends(samples: readonly Sample[], warmUpSeconds: number): Trend[] {
  const processes = [...new Set(samples.map(({ process }) => process))];
  return processes.flatMap((process) => {
    const own = samples.filter((sample) => sample.process === process);
    const duration = (own.at(-1)?.at ?? 0) - (own[0]?.at ?? 0);
    const lives = livesOf(own, warmUpSeconds);
    return measureNames.map((measure) => trendOf({ process, measure, lives, duration }, measures[measure]));
  });
}

/** The samples of each life, without those of its warm-up. */
function livesOf(samples: readonly Sample[], warmUpSeconds: number): Sample[][] {
  const lives = Map.groupBy(samples, ({ life }) => life);
  return [...lives.values()].map((life) => {
    const began = life[0]?.at ?? 0;
    return life.filter(({ at }) => at - began >= warmUpSeconds);
  });
}

interface Measured {
  readonly process: string;
  readonly measure: MeasureName;
  readonly lives: readonly (readonly Sample[])[];
  /** Of the run, in seconds. */
  readonly duration: number;
}

function trendOf({ process, measure, lives, duration }: Measured, { floor, share }: Measure): Trend {
  const points = lives.flat();
  const values = points.map((sample) => sample[measure]);
  const slopes: number[] = [];
  let rises = 0;
  let variance = 0;
  for (const life of lives) {
    for (const [i, before] of life.entries()) {
      for (const later of life.slice(i + 1)) {
        const change = later[measure] - before[measure];
        slopes.push(change / (later.at - before.at));
        rises += Math.sign(change);
      }
    }
    variance += (life.length * (life.length - 1) * (2 * life.length + 5)) / 18;
  }
  const growth = slopes.length === 0 ? 0 : median(slopes) * duration;
  const limit = Math.max(floor, share * median(values));
  const isSure = variance > 0 && rises / Math.sqrt(variance) > minZ;
  const result = points.length < minPoints ? 'too short' : growth > limit && isSure ? 'grows' : 'flat';
  return {
    process,
    measure,
    points: points.length,
    median: median(values),
    max: Math.max(0, ...values),
    growth,
    limit,
    result,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

export const describeTrend = ({ process, measure, points, median, max, growth, limit, result }: Trend): string => {
  const { title, unit } = measures[measure];
  const text = (value: number): string => `${Number(value.toFixed(1))}${unit && ` ${unit}`}`;
  return `${process}: ${title}: ${result}; median ${text(median)}, max ${text(max)}, growth ${text(growth)} (at most ${text(limit)}) in ${points} points`;
};
