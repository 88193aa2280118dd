export * from './build.ts';
export { KustomizeError } from './kustomize-error.ts';
export type { FetchRemote } from './loader.ts';
