import type { Application, ImageUpdater } from '@fairlead/api';
import type { Clock, Logger, MetricsRegistry } from '@fairlead/kube';
import type { ImagesError } from '../images-error.ts';
import type { ImageEvent } from '../webhook/event.ts';
import type { Report } from './report.ts';
import type { Watched } from './watched.ts';

/** What the runtime acts on. */
export interface RuntimeWorld {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  applications(): readonly Application[] | Promise<readonly Application[]>;
  updaters(): readonly ImageUpdater[] | Promise<readonly ImageUpdater[]>;
  /**
   * Looks at one Application and writes what is newer. Answers of registries are not older than `notBefore`. Does not throw. `waits` is to be
   * called when it only waits for others, to be written together with them: its place is then another's.
   */
  look(entry: Watched, notBefore: number, waits: () => void): Promise<Report>;
  /** Asks the registries beforehand; nothing is decided. */
  warmUp(entries: readonly Watched[]): Promise<void>;
  /** What was pushed is not believed from before. */
  invalidate(event: ImageEvent): void;
  /** Forgets answers of registries that nobody has asked for since. */
  forget(before: number): void;
  /** The end of a round: for resources to say what came of it. */
  report(round: Round): Promise<void>;
}

/** What came of looking at some or all of those that are watched. */
export interface Round {
  readonly results: readonly Result[];
  readonly watched: readonly Watched[];
  /** Resources that make no sense. */
  readonly broken: ReadonlyMap<ImageUpdater, ImagesError>;
}

export interface Result {
  readonly entry: Watched;
  readonly report: Report;
}
