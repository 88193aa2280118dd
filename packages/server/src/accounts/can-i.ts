import type { AccessRequest } from '../rbac/evaluator.ts';
import { isInProject, isRbacResource, rbacActions, rbacResources } from '../rbac/vocabulary.ts';
import { invalidArgument } from '../rpc/rpc-error.ts';

export interface CanIOptions {
  /** The namespace of the server: Applications there are named without it. */
  readonly namespace: string;
  /** `server.rbac.rollback.enforce.enable`: otherwise a rollback needs the right to sync. */
  readonly enforceRollback: boolean;
}

/** What `can-i` asks the enforcer. Throws an RpcError for a resource or an action that does not exist. */
export function canIRequest(
  { resource, action, object }: AccessRequest,
  { namespace, enforceRollback }: CanIOptions,
): AccessRequest {
  if (!rbacActions.some((known) => known === action)) {
    throw invalidArgument(`[${rbacActions.join(' ')}] does not contain ${action}`);
  }
  if (!isRbacResource(resource)) {
    throw invalidArgument(`[${Object.keys(rbacResources).join(' ')}] does not contain ${resource}`);
  }
  const parts = object.split('/');
  const [project = '', objectNamespace = '', name = ''] = parts;
  const isNamespaced = isInProject(resource) && namespace !== '' && parts.length === 3;
  return {
    resource,
    action: action === 'rollback' && !enforceRollback ? 'sync' : action,
    object: isNamespaced ? rbacName(namespace, project, objectNamespace, name) : object,
  };
}

/** How policies name an Application: the namespace of the server is left out. */
export const rbacName = (serverNamespace: string, project: string, namespace: string, name: string): string =>
  namespace === '' || namespace === serverNamespace ? `${project}/${name}` : `${project}/${namespace}/${name}`;
