export * from './credentials/credentials.ts';
export * from './credentials/credentials-for.ts';
export * from './credentials/repository-secret.ts';
export * from './folder-tree.ts';
export { createGit, type Git, type GitOptions } from './git/git-process.ts';
export { normalizeGitUrl, parseGitUrl } from './git/git-url.ts';
export * from './repositories.ts';
export * from './source-error.ts';
export * from './sources.ts';
