import type { ResourceStatus } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import type { Health, ResourceId } from '@fairlead/engine';

/** An object of an Application, or a dependent of one. */
export interface TreeNode {
  readonly id: ResourceId;
  readonly live?: KubeObject;
  /** Only for objects of the source. */
  readonly status?: ResourceStatus;
  readonly health?: Health;
  readonly children: readonly TreeNode[];
}
