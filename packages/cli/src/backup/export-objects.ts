import {
  apiVersionOf,
  isKubeObject,
  isNotFound,
  type JsonObject,
  type KubeObject,
  toJson,
} from '@fairlead/apimachinery';
import { type ApiClient, listAll } from '@fairlead/kube';
import { backupTypes, isSetting } from './backup-kinds.ts';
import { portable } from './portable.ts';

/** All objects of an installation: settings of its namespace, and resources of all namespaces. Secrets only if they are asked for. */
export async function exportObjects(
  client: ApiClient,
  namespace: string,
  { secrets }: { readonly secrets: boolean },
): Promise<(KubeObject & JsonObject)[]> {
  const found: (KubeObject & JsonObject)[] = [];
  for (const type of backupTypes) {
    if (type.kind === 'Secret' && !secrets) continue;
    const isCore = type.group === '';
    for (const object of await listed(client, type, isCore ? namespace : undefined)) {
      const complete = toJson({ ...object, apiVersion: apiVersionOf(type), kind: type.kind });
      if (isKubeObject(complete) && (!isCore || isSetting(complete))) found.push(portable(complete));
    }
  }
  return found;
}

/** A kind whose CRD is not installed has no objects. */
async function listed(
  client: ApiClient,
  type: (typeof backupTypes)[number],
  namespace: string | undefined,
): Promise<readonly KubeObject[]> {
  try {
    return (await listAll(client, type, namespace === undefined ? {} : { namespace })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
