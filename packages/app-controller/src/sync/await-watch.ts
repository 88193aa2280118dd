import type { KubeObject } from '@fairlead/apimachinery';
import { idKey, resourceIdOf } from '@fairlead/engine';
import { sleep } from '@fairlead/kube';
import type { SyncRequest } from './sync-request.ts';

const timeoutMs = 6_000;
const pollMs = 50;

/**
 * Waits briefly until the watch has delivered the writes of a sync. An earlier comparison finds false differences, and self-heal would sync
 * again.
 */
export async function awaitWatch(
  { watched, clock, signal }: Pick<SyncRequest, 'watched' | 'clock' | 'signal'>,
  written: ReadonlyMap<string, KubeObject>,
): Promise<void> {
  for (let waited = 0; waited < timeoutMs; waited += pollMs) {
    const known = new Map(watched().map((object) => [idKey(resourceIdOf(object)), object]));
    if ([...written].every(([key, object]) => isAsNew(known.get(key), object))) return;
    await sleep(clock, pollMs, signal);
  }
}

/** Versions of one object increase; if they are not numbers, the watch is assumed to be current. */
function isAsNew(seen: KubeObject | undefined, written: KubeObject): boolean {
  const [a = '', b = ''] = [seen?.metadata.resourceVersion, written.metadata.resourceVersion];
  if (!/^\d+$/u.test(b)) return true;
  return /^\d+$/u.test(a) && BigInt(a) >= BigInt(b);
}
