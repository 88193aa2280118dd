import { type Application, applicationKind } from '@fairlead/api';
import {
  find,
  isObject,
  type JsonObject,
  listAt,
  messageOf,
  parseLabelSelector,
  textAt,
  toJson,
} from '@fairlead/apimachinery';
import { isWatchedNamespace, sourcesOf } from '@fairlead/app-controller';
import { ApplicationAccess, type ApplicationRef } from '../../applications/application-access.ts';
import { projectForApplication } from '../../applications/application-project.ts';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';

const { type } = applicationKind;

export const unknown = (message: string): RpcError => new RpcError('Unknown', message);
export const precondition = (message: string): RpcError => new RpcError('FailedPrecondition', message);

/** `watched`: Applications as the watch has them, which is faster and may be a moment old. */
export const applicationAccess = (server: Server, { watched = false } = {}): ApplicationAccess => {
  const { state, options } = server;
  const read = (namespace: string, name: string): Promise<Application | undefined> =>
    watched
      ? Promise.resolve(state.applications.get(`${namespace}/${name}`))
      : find(state.client.get<Application>(type, { namespace, name }));
  return new ApplicationAccess({
    enforcer: options.disableAuth ? { allows: () => true } : state.enforcer,
    namespace: state.namespace,
    isNamespaceEnabled: (namespace) => isEnabled(server, namespace),
    applicationNamed: (namespace, name) => (name === '' ? Promise.resolve(undefined) : read(namespace, name)),
    projectOf: (application) => projectForApplication(application, state.namespace, (name) => state.project(name)),
    fineGrainedOnly: server.isOn('server.rbac.disableApplicationFineGrainedRBACInheritance', true),
    enforceRollback: server.isOn('server.rbac.rollback.enforce.enable'),
  });
};

/** Whether Applications of a namespace are served. */
export const isEnabled = ({ state, options }: Server, namespace: string): boolean =>
  isWatchedNamespace(
    { namespace: state.namespace, applicationNamespaces: options.applicationNamespaces ?? [] },
    namespace,
  );

/** How requests name an Application: the field of its name differs. */
export const refOf = (request: JsonObject, nameField = 'name'): ApplicationRef => ({
  name: textAt(request, nameField),
  namespace: textAt(request, 'appNamespace'),
  project: textAt(request, 'project') || textAt({ first: listAt(request, 'project')[0] ?? '' }, 'first'),
});

/** The projects that a query names. Clients use the older field or the newer one; the older one counts if both are there. */
export function projectsOf(request: JsonObject): readonly string[] {
  const texts = (field: string): string[] => listAt(request, field).filter((item) => typeof item === 'string');
  const named = texts('project');
  return named.length > 0 ? named : texts('projects');
}

/** How the query of one Application names it. */
export function queriedRef(request: JsonObject): ApplicationRef {
  const [project = '', other] = projectsOf(request);
  if (other !== undefined)
    throw invalidArgument('multiple projects specified - the get endpoint accepts either zero or one project');
  return { name: textAt(request, 'name'), namespace: textAt(request, 'appNamespace'), project };
}

/** What a selection of Applications has to be. */
export function selectorOf(
  request: JsonObject,
  failed = 'error parsing the selector',
): (application: Application) => boolean {
  const selector = readSelector(textAt(request, 'selector'), failed);
  const projects = new Set(projectsOf(request));
  const [name, namespace, repo] = [textAt(request, 'name'), textAt(request, 'appNamespace'), textAt(request, 'repo')];
  return ({ metadata, spec }) =>
    (name === '' || metadata.name === name) &&
    (namespace === '' || metadata.namespace === namespace) &&
    (projects.size === 0 || projects.has(spec.project || 'default')) &&
    (repo === '' || sourcesOf(spec).some(({ repoURL }) => repoURL === repo)) &&
    selector(metadata.labels ?? {});
}

function readSelector(text: string, failed: string): (labels: Readonly<Record<string, string>>) => boolean {
  try {
    const selector = parseLabelSelector(text);
    return (labels) => selector.matches(labels);
  } catch (error) {
    throw unknown(`${failed}: ${messageOf(error)}`);
  }
}

export const toObject = (application: Application): JsonObject => {
  const value = toJson(application);
  return isObject(value) ? value : {};
};

export const compact = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined && item !== ''));
