import type { KubeObject } from '@fairlead/apimachinery';
import { describeId, resourceIdOf } from '@fairlead/engine';
import type { NewCondition } from '../status/conditions.ts';

interface Trees {
  treeUnder(roots: readonly KubeObject[]): readonly {
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
  }[];
}

/** Objects that own themselves through others. The cluster never collects them: a foreground deletion of one waits for the other. */
export function ownerCycles(live: Trees, objects: readonly KubeObject[]): NewCondition[] {
  const found: NewCondition[] = [];
  for (const object of objects) {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) continue;
    const below = live.treeUnder([object]);
    const owner = below.find(({ uid }) => uid !== undefined && owners.some((one) => one.uid === uid));
    if (!owner) continue;
    const other = describeId({ group: '', kind: owner.kind, namespace: owner.namespace ?? '', name: owner.name });
    const itself = owner.uid === object.metadata.uid;
    const message = `${describeId(resourceIdOf(object))} is owned by ${itself ? 'itself' : `${other}, which it owns`}: remove the entry from metadata.ownerReferences of one of them`;
    found.push({ type: 'OwnerCycleWarning', message });
  }
  return found;
}
