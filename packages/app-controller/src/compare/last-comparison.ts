import type { KubeObject } from '@fairlead/apimachinery';
import type { ResourceId } from '@fairlead/engine';
import type { Comparison } from './compare.ts';
import type { Targets } from './targets.ts';

/**
 * A comparison with all its inputs. Objects are shared and never change: if every object is identical to the previous one, the result is
 * reused. So a refresh without changes costs only this check.
 */
export interface LastComparison {
  /** The Application, its project, the rendered manifests, and how objects are located, tracked and assessed. */
  readonly basis: readonly unknown[];
  /** From the source; without the destination namespace, if the Application manages its metadata. */
  readonly inSource: Targets;
  /** Live objects with the tracking id of the Application. */
  readonly tracked: readonly KubeObject[];
  /** Targets that are not among those, and their replacements. */
  readonly missing: readonly ResourceId[];
  readonly untracked: readonly (KubeObject | undefined)[];
  readonly comparison: Comparison;
}

export const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);
