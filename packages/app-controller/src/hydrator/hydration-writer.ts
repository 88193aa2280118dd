import type { RepositoryCredentials } from '@fairlead/source';

export interface HydrationCommit {
  readonly repository: string;
  readonly credentials: RepositoryCredentials | undefined;
  /** The branch to commit to; it is created from `base` if that exists, and without a parent otherwise. */
  readonly branch: string;
  readonly base: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly message: string;
  /** The files that `files` reads. */
  readonly paths: readonly string[];
  /** New contents by path; undefined if nothing changes. Called again if the branch has moved. */
  files(read: (path: string) => string | undefined): ReadonlyMap<string, string> | undefined;
}

/** Commits to Git. Resolves with the newest commit of the branch once the server has it. */
export interface HydrationWriter {
  write(commit: HydrationCommit): Promise<string>;
}
