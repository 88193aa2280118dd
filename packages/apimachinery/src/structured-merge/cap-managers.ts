import { union } from './field-set.ts';
import { identify, type Manager, type Managers, secondsOf } from './managers.ts';

const maxUpdaters = 10;

/**
 * Limits the number of updaters to ten: the oldest of one version are merged into `ancient-changes`, with the time of the newest of them.
 * Appliers are never changed.
 */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update');
  let excess = updaters.length - maxUpdaters;
  if (excess <= 0) return managers;
  updaters.sort(([a, x], [b, y]) => secondsOf(x) - secondsOf(y) || (a < b ? -1 : 1));
  const capped = new Map(managers);
  const firsts = new Map<string, string>();
  for (const [id, manager] of updaters) {
    if (excess <= 0) break;
    const first = firsts.get(manager.apiVersion);
    if (first === undefined) {
      firsts.set(manager.apiVersion, id);
      continue;
    }
    putTogether(capped, first, id, manager);
    excess -= 1;
  }
  return capped;
}

function putTogether(managers: Managers, first: string, id: string, manager: Manager): void {
  const bucket = {
    name: 'ancient-changes',
    operation: 'Update',
    apiVersion: manager.apiVersion,
    subresource: '',
  } as const;
  const bucketId = identify(bucket);
  let collected = managers.get(bucketId);
  if (!collected) {
    collected = managers.get(first);
    managers.delete(first);
  }
  managers.delete(id);
  const fields = collected ? union(manager.fields, collected.fields) : manager.fields;
  managers.set(bucketId, { ...bucket, fields, time: manager.time });
}
