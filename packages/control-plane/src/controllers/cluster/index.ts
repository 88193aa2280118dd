import type { MakeController } from '../parts.ts';
import { scheduler } from './scheduler/index.ts';

/** Controllers of the cluster itself: garbage collection, namespaces, endpoints, scheduling and the rest. */
export const clusterControllers: readonly MakeController[] = [scheduler];
