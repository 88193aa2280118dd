export { createGit, type Git, type GitOptions } from './git-process.ts';
export { normalizeGitUrl, parseGitUrl } from './git-url.ts';
export * from './repositories.ts';
export * from './source-error.ts';
