import type { ImageProblem } from '../update/decide-update.ts';
import type { ImageChange } from '../write-back/templates.ts';

/** The result of one update of one Application. */
export interface Report {
  readonly considered: number;
  readonly skipped: number;
  /** The images that were written. */
  readonly updated: readonly (ImageChange & { readonly alias: string })[];
  readonly problems: readonly ImageProblem[];
  /** Newer images that are not written, with the reason. */
  readonly held: readonly { readonly image: string; readonly reason: string }[];
  /** The commit with the images; undefined if they are written to the Application. */
  readonly commit: string | undefined;
  /** The page of the pull request with the commit. */
  readonly pullRequest?: string;
  /** Milliseconds until the next update, if it should run before the interval has passed. */
  readonly requeueAfter?: number;
}

export const emptyReport: Report = {
  considered: 0,
  skipped: 0,
  updated: [],
  problems: [],
  held: [],
  commit: undefined,
};
