import type { JsonObject, KubeObject } from '@fairlead/apimachinery';
import { within } from '../controllers/cluster.ts';
import { type KubeletStates, ScriptedKubelet } from '../controllers/kubelet.ts';
import { NamespaceView } from '../controllers/namespace-view.ts';
import type { CaseServer } from './case-server.ts';

/** Creates the objects of a state in order; `<uid of Kind/name>` is the uid of an earlier one. */
export async function makeState(
  caseServer: CaseServer,
  namespace: string,
  objects: readonly JsonObject[],
): Promise<void> {
  const uids = new Map<string, string>();
  for (const each of objects) {
    const given = JSON.parse(
      JSON.stringify(each).replace(/<uid of ([^>]+)>/g, (_, owner: string) => uids.get(owner) ?? `no ${owner}`),
    ) as KubeObject & { spec?: { taints?: unknown[] }; status?: unknown };
    const type = await caseServer.typeOf(given.kind, given.apiVersion);
    if (type.namespaced) given.metadata.namespace ??= namespace;
    const made = await caseServer.client.create(type, given);
    uids.set(`${given.kind}/${given.metadata.name}`, made.metadata.uid!);
    // A new node is tainted until it reports its status.
    if (given.kind === 'Node')
      await caseServer.client.patch(type, given.metadata, 'merge', { spec: { taints: given.spec?.taints ?? null } });
    if (given.status !== undefined)
      await caseServer.client.patch(type, given.metadata, 'merge', { status: given.status }, { subresource: 'status' });
  }
}

/** An empty namespace in its steady state, and kubelets that run every scheduled pod. */
export async function bringToLife(caseServer: CaseServer, namespace: string, states: KubeletStates): Promise<void> {
  const namespaces = await caseServer.typeOf('Namespace', 'v1');
  const metadata = { name: namespace };
  await caseServer.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const accounts = await caseServer.informer(await caseServer.typeOf('ServiceAccount', 'v1'));
  const ready = await within(5_000, () => accounts.get(`${namespace}/default`));
  if (!ready) throw new Error(`namespace ${namespace} got no service account`);
  const view = new NamespaceView(namespace);
  view.follow(await caseServer.informer(await caseServer.typeOf('Pod', 'v1')));
  await new ScriptedKubelet(caseServer, states, view).take('auto');
}
