/** A commit is shown by its first characters; tags and versions as they are. */
export const shortRevision = (revision: string): string =>
  /^[\da-f]{40,64}$/u.test(revision) ? revision.slice(0, 7) : revision.replace(/^sha256:([\da-f]{12})[\da-f]+$/u, '$1');
