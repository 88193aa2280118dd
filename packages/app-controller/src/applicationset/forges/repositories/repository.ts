import type { GoValue } from '@fairlead/render/go-template';

/** A branch of a repository of a forge. */
export interface Repository {
  readonly organization: string;
  readonly repository: string;
  readonly url: string;
  readonly branch: string;
  readonly sha: string;
  readonly labels: readonly string[];
  readonly id: GoValue;
}

/** The repositories of an organization, a group, a workspace or a project. */
export interface RepositoryForge {
  /** Each with its default branch. */
  list(cloneProtocol: string): Promise<Repository[]>;
  /** The branches to consider: the default one, or all. Empty for a repository without commits. */
  branches(repository: Repository): Promise<Repository[]>;
  hasPath(repository: Repository, path: string): Promise<boolean>;
}

/** The address for `ssh`, which is the default, or `https`. */
export function cloneUrl(protocol: string, urls: { ssh: string; https: string }, forge: string): string {
  if (protocol === '' || protocol === 'ssh') return urls.ssh;
  if (protocol === 'https') return urls.https;
  throw new Error(`unknown clone protocol for ${forge} ${protocol}`);
}
