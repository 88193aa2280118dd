import { type Application, applicationKind } from '@fairlead/api';
import { closest, isNotFound, isUnknownKind } from '@fairlead/apimachinery';
import { readResources } from '@fairlead/app-controller';
import { type ApiClient, listAll } from '@fairlead/kube';
import type { ObjectClient } from '../../backend/backend.ts';
import { CliError } from '../../cli-error.ts';
import { suggest } from '../../did-you-mean.ts';
import { controlPlaneNamespace } from '../../install.ts';

export interface ApplicationKey {
  readonly namespace: string;
  readonly name: string;
}

/** `NAME`, or `NAMESPACE/NAME`. */
export function keyFrom(text: string, namespace: string | undefined): ApplicationKey {
  const [first = '', second] = text.replace(/^(app|apps|application|applications)\//u, '').split('/');
  return second === undefined
    ? { namespace: namespace ?? controlPlaneNamespace, name: first }
    : { namespace: first, name: second };
}

export const showKey = ({ namespace, name }: ApplicationKey): string =>
  namespace === controlPlaneNamespace ? name : `${namespace}/${name}`;

export const keyOf = ({ metadata: { namespace = '', name } }: Application): ApplicationKey => ({ namespace, name });
export { nameOf } from '@fairlead/app-controller/application-text';

/** The Application, or undefined if it does not exist. Throws if the cluster has no such kind. */
export async function lookUp(
  client: Pick<ApiClient, 'get'>,
  key: ApplicationKey,
  signal?: AbortSignal,
): Promise<Application | undefined> {
  try {
    return await client.get<Application>(applicationKind.type, key, signal ? { signal } : {});
  } catch (error) {
    if (!isNotFound(error)) throw error;
    refuseUnknownKind(error);
    return undefined;
  }
}

export async function listApplications(
  client: Pick<ApiClient, 'list'>,
  selection: { readonly namespace?: string; readonly labelSelector?: string } = {},
): Promise<readonly Application[]> {
  try {
    return (await listAll<Application>(client, applicationKind.type, selection)).items;
  } catch (error) {
    refuseUnknownKind(error);
    throw error;
  }
}

function refuseUnknownKind(error: unknown): void {
  if (isUnknownKind(error))
    throw new CliError(
      'the cluster has no CRD for Applications: fairlead up --kubeconfig FILE installs it, or choose another cluster with --kubeconfig',
    );
}

/** The Application. If it does not exist, the error suggests similar names. */
export async function findApplication(client: ObjectClient, key: ApplicationKey): Promise<Application> {
  const found = await lookUp(client, key);
  if (found) return found;
  const all = await listApplications(client).catch(() => []);
  throw new CliError(`Application ${key.name} not found in namespace ${key.namespace}${hint(key, all)}`);
}

/** Adds all its objects: those of a very large Application are stored separately. For display, not to write back. */
export async function withAllObjects(client: ObjectClient, application: Application): Promise<Application> {
  const resources = await readResources(client, application);
  return resources === application.status?.resources || !application.status
    ? application
    : { ...application, status: { ...application.status, resources: [...resources] } };
}

/** The Application with all its objects, for display. */
export const findWhole = async (client: ObjectClient, key: ApplicationKey): Promise<Application> =>
  withAllObjects(client, await findApplication(client, key));

function hint(key: ApplicationKey, all: readonly Application[]): string {
  const elsewhere = all.find(({ metadata }) => metadata.name === key.name);
  if (elsewhere) return `: it is in ${elsewhere.metadata.namespace}, add -n ${elsewhere.metadata.namespace}`;
  const names = all.filter(({ metadata }) => metadata.namespace === key.namespace).map(({ metadata }) => metadata.name);
  const near =
    closest(key.name, names) ??
    names.find((name) => letters(name) === letters(key.name)) ??
    names.find((name) => name.includes(key.name) || key.name.includes(name));
  if (near) return suggest(near);
  return names.length === 0 ? ': fairlead app create creates one' : ': fairlead get apps lists them';
}

/** Equal for names with swapped letters. */
const letters = (name: string): string => [...name].sort().join('');

/** The Applications that the arguments and the selector name; at least one. */
export async function chooseApplications(
  client: ObjectClient,
  names: readonly string[],
  flags: { readonly namespace?: string; readonly selector?: string },
): Promise<Application[]> {
  if (names.length === 0 && flags.selector === undefined)
    throw new CliError('missing argument: name an Application, or select some with -l LABELS');
  const named = await Promise.all(names.map((name) => findWhole(client, keyFrom(name, flags.namespace))));
  if (flags.selector === undefined) return named;
  const selection = { namespace: flags.namespace ?? controlPlaneNamespace, labelSelector: flags.selector };
  const selected = await listApplications(client, selection);
  if (selected.length === 0 && named.length === 0)
    throw new CliError(`no Application in namespace ${selection.namespace} has the labels ${flags.selector}`);
  return [...named, ...(await Promise.all(selected.map((one) => withAllObjects(client, one))))];
}
