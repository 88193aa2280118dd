import type { MakeController } from '../parts.ts';

/** Controllers of the cluster itself: garbage collection, namespaces, endpoints, scheduling and the rest. */
export const clusterControllers: readonly MakeController[] = [];
