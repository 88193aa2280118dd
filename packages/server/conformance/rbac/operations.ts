import { isWatchedNamespace } from '@fairlead/app-controller';
import { parseBool } from '../../src/accounts/account.ts';
import { ApplicationAccess } from '../../src/applications/application-access.ts';
import { projectForApplication } from '../../src/applications/application-project.ts';
import type { Caller } from '../../src/rbac/enforcer.ts';
import { RpcError } from '../../src/rpc/rpc-error.ts';
import { callerOf, enforcerOf, type Operation, projectNamed, type RbacCase } from './rbac-case.ts';

const own = 'argocd';

/** Asks for each operation what the API asks before it does anything. */
export async function operationProblems(one: RbacCase): Promise<readonly string[]> {
  const { settings = {}, namespaces = [] } = one;
  const applications = (one.applications ?? []).map((application) => ({
    ...application,
    metadata: { namespace: own, ...application.metadata },
  }));
  const isOn = (key: string, otherwise: string): boolean => parseBool(settings[key] ?? otherwise) ?? false;
  const isNamespaceEnabled = (namespace: string): boolean =>
    isWatchedNamespace({ namespace: own, applicationNamespaces: namespaces }, namespace);
  const access = new ApplicationAccess({
    enforcer: enforcerOf(one),
    namespace: own,
    isNamespaceEnabled,
    applicationNamed: async (namespace, name) =>
      applications.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    projectOf: (application) => projectForApplication(application, own, projectNamed(one)),
    fineGrainedOnly: isOn('server.rbac.disableApplicationFineGrainedRBACInheritance', 'true'),
    enforceRollback: isOn('server.rbac.rollback.enforce.enable', 'false'),
  });
  const listed = (caller: Caller): string[] =>
    applications
      .filter(({ metadata }) => isNamespaceEnabled(metadata.namespace))
      .filter((application) => access.allows(caller, 'get', application))
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      .sort();
  const problems: string[] = [];
  for (const { claims, operations = [] } of one.subjects ?? []) {
    const caller = callerOf(claims);
    for (const operation of operations) {
      const ours =
        operation.operation === 'list-applications'
          ? JSON.stringify(listed(caller))
          : await resultOf(() => perform(access, caller, operation));
      const { result, message = '' } = operation;
      const theirs = typeof result === 'string' ? `${result} ${message}` : JSON.stringify([...result].sort());
      if (ours !== theirs) problems.push(`${JSON.stringify(claims)} ${JSON.stringify(operation)}: ours ${ours}`);
    }
  }
  return problems;
}

async function perform(
  access: ApplicationAccess,
  caller: Caller,
  { operation, request = {} }: Operation,
): Promise<unknown> {
  const { app = '', appNamespace = '', project = '', group = '', kind = '', namespace = '', name = '' } = request;
  const ref = { name: app, namespace: appNamespace, project };
  const resource = { group, kind, namespace, name };
  switch (operation) {
    case 'get-application':
    case 'resource-tree':
      return access.find(caller, 'get', ref);
    case 'get-resource':
      return access.findForResource(caller, 'get', ref, resource);
    case 'patch-resource':
      return access.findForResource(caller, 'update', ref, resource);
    case 'delete-resource':
      return access.findForResource(caller, 'delete', ref, resource);
    case 'run-action':
      return access.findForAction(caller, ref, resource, request.action ?? '');
    case 'sync':
    case 'sync-local':
      return access.findToSync(caller, ref, { local: operation === 'sync-local' });
    case 'rollback':
      return access.findToRollBack(caller, ref);
    case 'terminate-operation':
      return access.find(caller, 'sync', ref);
    case 'delete-application':
      return access.findToDelete(caller, ref);
    default:
      throw new Error(`unknown operation ${operation}`);
  }
}

const results: Readonly<Record<string, string>> = { PermissionDenied: 'deny', NotFound: 'notFound' };

async function resultOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
    return 'allow ';
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const result = results[error.code];
    return result === undefined ? 'allow ' : `${result} ${error.message}`;
  }
}
