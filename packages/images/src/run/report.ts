import type { ImageProblem } from '../update/update-application.ts';
import type { ImageChange } from '../write-back/templates.ts';

/** What became of one look at one Application. */
export interface Report {
  readonly considered: number;
  readonly skipped: number;
  /** What is written now, and not only wanted. */
  readonly updated: readonly (ImageChange & { readonly alias: string })[];
  readonly problems: readonly ImageProblem[];
  /** Why images are not where the registry is: one sentence each. */
  readonly held: readonly { readonly image: string; readonly why: string }[];
  /** Where it was written: a commit, or the Application. */
  readonly commit: string | undefined;
  /** It waits for something that will not take long: look again after this time, and not after the usual one. */
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
