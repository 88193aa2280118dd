import type { KubeObject } from '@fairlead/apimachinery';
import type { ResourceId } from '@fairlead/engine';
import type { Comparison } from './compare.ts';
import type { Targets } from './targets.ts';

/**
 * A comparison with all that it was made from. Objects are shared and never change: where every object is identical to the one before,
 * the outcome is the same too, and is not worked out again. That is what a refresh costs where nothing has changed.
 */
export interface LastComparison {
  /** The Application, its project, what was rendered, and how objects are placed, tracked and assessed. */
  readonly basis: readonly unknown[];
  /** What the source says; not the namespace of the destination, where the Application manages its metadata. */
  readonly inSource: Targets;
  /** Live objects that carry the Application's mark. */
  readonly tracked: readonly KubeObject[];
  /** Targets that are not among those, and their replacements. */
  readonly missing: readonly ResourceId[];
  readonly untracked: readonly (KubeObject | undefined)[];
  readonly comparison: Comparison;
}

export const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);
