export * from './build.ts';
export type { ChartRequest, HelmSupport } from './helm-charts.ts';
export { KustomizeError } from './kustomize-error.ts';
export type { FetchRemote } from './loader.ts';
