/** A repository URL without what nobody reads: the scheme of web addresses, and the folders before a repository on a disk. */
export const repositoryLabel = (url: string): string =>
  url.replace(/^https?:\/\//u, '').replace(/^file:\/\/.*\/(?=[^/]+$)/u, '');
