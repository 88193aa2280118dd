import type { Application, ResourceStatus } from '@fairlead/api';
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

/** The Application's objects from its status. */
export const statusTree = ({ status }: Application): TreeNode[] =>
  (status?.resources ?? []).map((one) => rootNode(one));

/** An object of the source. */
export const rootNode = (status: ResourceStatus, live?: KubeObject, children: readonly TreeNode[] = []): TreeNode => ({
  id: idOf(status),
  status,
  ...(live ? { live } : {}),
  ...healthOf(status),
  children,
});

export const idOf = ({ group = '', kind = '', namespace = '', name = '' }: ResourceStatus): ResourceId => ({
  group,
  kind,
  namespace,
  name,
});

const healthOf = ({ health }: ResourceStatus): { health?: Health } =>
  health?.status
    ? { health: { status: health.status as Health['status'], ...(health.message ? { message: health.message } : {}) } }
    : {};
