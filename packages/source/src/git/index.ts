/** Git below the level of a `Tree`: for `images`, which writes commits. */
export { isMirrorDamaged } from './git-failure.ts';
export { createGit, type Git, GitFailure } from './git-process.ts';
export { GitRemote } from './git-remote.ts';
export { MirrorFolder } from './mirror-folder.ts';
export { ObjectReader } from './object-reader.ts';
