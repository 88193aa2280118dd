import type { JsonObject, KubeObject } from '@fairlead/kube';
import type { World } from './world.ts';

/** Makes the objects of a state in their order; `<uid of Kind/name>` is the uid of one made before. */
export async function makeState(world: World, namespace: string, objects: readonly JsonObject[]): Promise<void> {
  const uids = new Map<string, string>();
  for (const each of objects) {
    const given = JSON.parse(
      JSON.stringify(each).replace(/<uid of ([^>]+)>/g, (_, owner: string) => uids.get(owner) ?? `no ${owner}`),
    ) as KubeObject & { spec?: { taints?: unknown[] }; status?: unknown };
    const type = await world.typeOf(given.kind, given.apiVersion);
    if (type.namespaced) given.metadata.namespace ??= namespace;
    const made = await world.client.create(type, given);
    uids.set(`${given.kind}/${given.metadata.name}`, made.metadata.uid!);
    // A node that has just come is tainted until it reports.
    if (given.kind === 'Node')
      await world.client.patch(type, given.metadata, 'merge', { spec: { taints: given.spec?.taints ?? null } });
    if (given.status !== undefined)
      await world.client.patch(type, given.metadata, 'merge', { status: given.status }, { subresource: 'status' });
  }
}
