export * from './image-name.ts';
export { names } from './names.ts';
export * from './prepull.ts';
export type { PullLimits } from './pull-limits.ts';
