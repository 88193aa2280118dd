import type { MakeController } from '../parts.ts';

/** Controllers of everything that makes pods. */
export const workloadControllers: readonly MakeController[] = [];
