import type { Application, ImageUpdater } from '@fairlead/api';
import type { Clock, Logger, MetricsRegistry } from '@fairlead/kube';
import type { ImagesError } from '../images-error.ts';
import type { ImageEvent } from '../webhook/event.ts';
import type { Report } from './report.ts';
import type { WatchedApplication } from './watched-applications.ts';

/** The dependencies of the runtime. */
export interface UpdaterEnv {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  applications(): readonly Application[] | Promise<readonly Application[]>;
  updaters(): readonly ImageUpdater[] | Promise<readonly ImageUpdater[]>;
  /**
   * Checks one Application and writes newer images. Registry responses are not older than `notBefore`. Does not throw. Calls `onWaiting`
   * when it waits for slow registries, or when only the shared commit is left to wait for, so that the slot can be used by another. The
   * signal ends the wait for registries.
   */
  update(entry: WatchedApplication, notBefore: number, onWaiting: () => void, signal: AbortSignal): Promise<Report>;
  /** Fills the registry cache; decides nothing. */
  warmUp(entries: readonly WatchedApplication[]): Promise<void>;
  /** Discards cached registry responses about a pushed image. */
  invalidate(event: ImageEvent): void;
  /** Removes cached registry responses that were not used since. */
  prune(before: number): void;
  /** Writes the status of ImageUpdater resources after a round. */
  report(round: Round): Promise<void>;
}

/** The results of updating some or all watched Applications. */
export interface Round {
  readonly results: readonly Result[];
  readonly watched: readonly WatchedApplication[];
  /** Invalid ImageUpdater resources. */
  readonly broken: ReadonlyMap<ImageUpdater, ImagesError>;
}

export interface Result {
  readonly entry: WatchedApplication;
  readonly report: Report;
}
