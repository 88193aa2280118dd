export * from './build.ts';
export type { HelmSupport } from './helm-charts.ts';
export { KustomizeError } from './kustomize-error.ts';
