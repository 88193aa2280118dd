import { limits } from '@fairlead/kube/limits';

/** A push as reported by a Git host: repository, branch or tag, and files. */
export interface Push {
  /** URLs of the repository, of its page or to clone it. */
  readonly urls: readonly string[];
  /** `refs/heads/main`, or a bare name if the host does not send its type. */
  readonly ref: string;
  /** Every ref may have been pushed: the payload has more than are matched individually. */
  readonly everyRef?: true;
  /** A tag of an artifact in a registry, and not of a repository. */
  readonly isArtifact?: true;
  /** Whether the default branch was pushed; also true if the host does not send it. */
  readonly touchedHead: boolean;
  /** Undefined if the host does not send them, or not all of them. */
  readonly files?: readonly string[];
}

/** Untrusted input: missing values and those of another type are empty. */
export type Payload = Readonly<Record<string, unknown>>;

export const objectIn = (value: unknown, name: string): Payload => {
  const found = (value as Payload | null | undefined)?.[name];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Payload) : {};
};
export const textIn = (value: unknown, name: string): string => {
  const found = (value as Payload | null | undefined)?.[name];
  return typeof found === 'string' ? found : '';
};
export const listIn = (value: unknown, name: string): readonly unknown[] => {
  const found = (value as Payload | null | undefined)?.[name];
  return Array.isArray(found) ? found : [];
};

/** `main` of `refs/heads/main`. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//u, '');

/** The files of all commits of a push, as GitHub, GitLab and Gitea list them. */
export function filesOf(payload: Payload): { readonly files?: readonly string[] } {
  const commits = listIn(payload, 'commits');
  const total = (payload as { total_commits_count?: unknown }).total_commits_count;
  if (typeof total === 'number' && total > commits.length) return {};
  const files: string[] = [];
  for (const commit of commits) {
    for (const change of ['added', 'modified', 'removed']) {
      for (const file of listIn(commit, change)) {
        if (files.length >= limits.webhookFiles) return {};
        if (typeof file === 'string') files.push(file);
      }
    }
  }
  return files.length > 0 ? { files } : {};
}
