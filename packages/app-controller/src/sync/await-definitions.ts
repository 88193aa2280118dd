import { isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { isDefinition, type SyncTask } from '@fairlead/engine';
import { type ApiClient, sleep } from '@fairlead/kube';
import { patiently } from './retry-transient.ts';
import { type SyncRequest, typeOf } from './sync-request.ts';

const establishedWithinMs = 30_000;
/** Between two of its conditions a definition that is well may look broken. */
const brokenAfterMs = 3_000;

/** Kinds are served a moment after their definitions are written; what follows may need them. */
export async function awaitDefinitions(request: SyncRequest, tasks: readonly SyncTask[]): Promise<void> {
  const definitions = tasks.flatMap(({ target }) => (target && isDefinition(target) ? [target] : []));
  if (definitions.length === 0) return;
  const { cluster, clock, signal } = request;
  for (const definition of definitions) {
    const type = typeOf(request, definition);
    for (let waited = 0; type && waited < establishedWithinMs; waited += 100) {
      const live = await patiently(request, () => find(cluster.client, type, definition.metadata.name, signal));
      const status = live && request.assess(live)?.status;
      if (!status || status === 'Healthy' || (status === 'Degraded' && waited >= brokenAfterMs)) break;
      await sleep(clock, 100, signal);
    }
  }
  await patiently(request, () => cluster.refreshKinds());
}

const find = (
  client: ApiClient,
  type: ResourceType,
  name: string,
  signal: AbortSignal,
): Promise<KubeObject | undefined> =>
  client.get(type, { name }, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
