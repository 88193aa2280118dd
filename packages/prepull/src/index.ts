export * from './gate-verdict.ts';
export * from './image-gate.ts';
export * from './image-name.ts';
export { names } from './names.ts';
export { type PodSpec, podSpecOf, type Workload } from './objects.ts';
export * from './prepull.ts';
export type { PullLimits } from './pull-limits.ts';
export * from './rollout-gate.ts';
export * from './sync-gate.ts';
