import { type Application, type ApplicationSet, applicationKind, applicationSetKind } from '@fairlead/api';
import { closest, isNotFound } from '@fairlead/apimachinery';
import { listAll } from '@fairlead/kube';
import type { ObjectClient } from '../backend/backend.ts';
import { CliError } from '../cli-error.ts';
import { suggest } from '../did-you-mean.ts';
import { controlPlaneNamespace } from '../install.ts';

export interface SetKey {
  readonly namespace: string;
  readonly name: string;
}

/** `NAME` or `NAMESPACE/NAME`. */
export function setKey(text: string, namespace: string | undefined): SetKey {
  const slash = text.indexOf('/');
  if (slash > 0) return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
  return { namespace: namespace ?? controlPlaneNamespace, name: text };
}

export const keyOfSet = ({ metadata }: ApplicationSet): SetKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** The name, with its namespace if that is not the one of the control plane. */
export const nameOfSet = ({ metadata }: ApplicationSet): string =>
  metadata.namespace === controlPlaneNamespace ? metadata.name : `${metadata.namespace}/${metadata.name}`;

/** By namespace and name. */
export async function listSets(client: ObjectClient, namespace: string | undefined): Promise<ApplicationSet[]> {
  const selection = namespace === undefined ? {} : { namespace };
  const { items } = await listAll<ApplicationSet>(client, applicationSetKind.type, selection);
  return [...items].sort((a, b) => (nameOfSet(a) < nameOfSet(b) ? -1 : 1));
}

/** Undefined if there is none. */
export async function lookUpSet(client: ObjectClient, key: SetKey): Promise<ApplicationSet | undefined> {
  try {
    return await client.get<ApplicationSet>(applicationSetKind.type, key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The ApplicationSet. If it does not exist, the error suggests a similar name. */
export async function findSet(client: ObjectClient, key: SetKey): Promise<ApplicationSet> {
  const found = await lookUpSet(client, key);
  if (found) return found;
  const names = (await listSets(client, key.namespace)).map(({ metadata }) => metadata.name);
  const near = closest(key.name, names);
  const hint = near ? suggest(near) : ': fairlead appset list lists them';
  throw new CliError(`ApplicationSet ${key.name} not found in namespace ${key.namespace}${hint}`);
}

/** The Applications that an ApplicationSet controls. */
export async function applicationsOf(client: ObjectClient, { metadata }: ApplicationSet): Promise<Application[]> {
  const { namespace = '' } = metadata;
  const { items } = await listAll<Application>(client, applicationKind.type, { namespace });
  return items.filter((one) =>
    (one.metadata.ownerReferences ?? []).some(({ uid, kind }) => kind === 'ApplicationSet' && uid === metadata.uid),
  );
}
