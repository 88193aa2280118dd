import { find } from '@fairlead/apimachinery';
import { isDefinition, type SyncTask } from '@fairlead/engine';
import { sleep } from '@fairlead/kube';
import { retryTransient } from './retry-transient.ts';
import { type SyncRequest, typeOf } from './sync-request.ts';

const establishedWithinMs = 30_000;
/** A healthy definition may seem broken between two condition updates. */
const brokenAfterMs = 3_000;

/** Kinds are served shortly after their definitions are written; the next objects may need them. */
export async function awaitDefinitions(request: SyncRequest, tasks: readonly SyncTask[]): Promise<void> {
  const definitions = tasks.flatMap(({ target }) => (target && isDefinition(target) ? [target] : []));
  if (definitions.length === 0) return;
  const { cluster, clock, signal } = request;
  for (const definition of definitions) {
    const type = typeOf(request, definition);
    for (let waited = 0; type && waited < establishedWithinMs; waited += 100) {
      const live = await retryTransient(request, () =>
        find(cluster.client.get(type, { name: definition.metadata.name }, { signal })),
      );
      const status = live && (await request.assess([live]))(live)?.status;
      if (!status || status === 'Healthy' || (status === 'Degraded' && waited >= brokenAfterMs)) break;
      await sleep(clock, 100, signal);
    }
  }
  await retryTransient(request, () => cluster.refreshKinds());
}
