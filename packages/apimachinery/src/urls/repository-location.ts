import type { RepositoryUrl } from './repository-url.ts';

/**
 * Host and path of a repository, equal for all spellings of its address, as webhooks need it. Scheme, user and port are ignored, and so are
 * the SSH host names of Git hosts. Undefined if there is no path.
 */
export function repositoryLocation({ host, path }: RepositoryUrl): string | undefined {
  const tidy = path
    .replaceAll(/\/{2,}/gu, '/')
    .replace(/^\/|\/$/gu, '')
    .replace(/\.git$/iu, '')
    .replace(/^v3\//u, '')
    .replace(/\/_git\//u, '/')
    .toLowerCase();
  return tidy === '' ? undefined : `${host.replace(/^(?:alt)?ssh\./u, '') || 'localhost'}/${tidy}`;
}
