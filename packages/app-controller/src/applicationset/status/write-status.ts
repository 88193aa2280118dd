import { type ApplicationSet, type ApplicationSetStatus, applicationSetKind } from '@fairlead/api';
import { equalJson, isNotFound } from '@fairlead/apimachinery';
import { createMergePatch } from '@fairlead/engine';
import type { ApiClient } from '@fairlead/kube';

/** Writes the status if it has changed, and gives the ApplicationSet as it is then. The only place that writes it. */
export async function writeStatus(
  client: ApiClient,
  set: ApplicationSet,
  status: ApplicationSetStatus,
): Promise<ApplicationSet> {
  if (equalJson(set.status ?? {}, status)) return set;
  const changed: ApplicationSet = { ...set, status };
  const patch = createMergePatch(set, changed);
  if (!patch) return changed;
  const { namespace = '', name } = set.metadata;
  try {
    return await client.patch<ApplicationSet>(applicationSetKind.type, { namespace, name }, 'merge', patch, {
      subresource: 'status',
    });
  } catch (error) {
    if (isNotFound(error)) return changed;
    throw error;
  }
}
