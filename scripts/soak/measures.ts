/** The measures of each process, and their limits of growth. */
export interface Measure {
  readonly title: string;
  readonly unit: string;
  /** Growth up to this much in a run is noise. */
  readonly floor: number;
  /** So is growth up to this share of the median. */
  readonly share: number;
}

export const measures = {
  heap: { title: 'heap after a garbage collection', unit: 'MiB', floor: 6, share: 0.1 },
  rss: { title: 'resident memory', unit: 'MiB', floor: 40, share: 0.15 },
  // Not the sum: on a busy machine, tasks take longer and more sandboxes run at a time: that is not a leak.
  childRss: { title: 'resident memory of the largest child process', unit: 'MiB', floor: 40, share: 0.15 },
  descriptors: { title: 'open descriptors', unit: '', floor: 8, share: 0.1 },
  lag: { title: 'longest delay of the event loop by the process itself', unit: 'ms', floor: 150, share: 0.5 },
  children: { title: 'child processes', unit: '', floor: 4, share: 0.25 },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;
export const measureNames = Object.keys(measures) as MeasureName[];

export type Reading = Readonly<Record<MeasureName, number>>;

/** One reading of one process. `life` counts its restarts: a new process begins with little memory. */
export interface Sample extends Reading {
  /** Seconds since the run began. */
  readonly at: number;
  readonly process: string;
  readonly life: number;
}

const columns = ['at', 'process', 'life', ...measureNames] as const;

export const csvHeader = `${columns.join(',')}\n`;

export const csvRows = (samples: readonly Sample[]): string =>
  [
    ...samples.map((sample) =>
      columns.map((column) => (typeof sample[column] === 'number' ? round(sample[column]) : sample[column])).join(','),
    ),
    '',
  ].join('\n');

const round = (value: number): number => Math.round(value * 100) / 100;
