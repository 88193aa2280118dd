import type { Database } from '../database/index.ts';

/** The Argo CD instance that Operations are for: a namespace with Applications, on a cluster. */
export interface ArgocdInstance {
  /** The uid of the cluster's kube-system. */
  readonly clusterUid: string;
  readonly namespace: string;
  readonly namespaceUid: string;
}

export const instanceIdOf = (instance: ArgocdInstance): string => instance.namespaceUid;

/** Records the instance; any number of processes may do so. */
export async function ensureArgocdInstance(db: Database, instance: ArgocdInstance): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('gitopsenginecluster')
      .values({ gitopsenginecluster_id: instance.clusterUid, clustercredentials_id: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .insertInto('gitopsengineinstance')
      .values({
        gitopsengineinstance_id: instanceIdOf(instance),
        namespace_name: instance.namespace,
        namespace_uid: instance.namespaceUid,
        enginecluster_id: instance.clusterUid,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .insertInto('kubernetestodbresourcemapping')
      .values([
        mapping(instance.clusterUid, 'GitopsEngineCluster', instance.clusterUid),
        mapping(instance.namespaceUid, 'GitopsEngineInstance', instanceIdOf(instance)),
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Clusters and tenants are identified by the uid of a namespace. */
export const mapping = (namespaceUid: string, table: string, key: string) => ({
  kubernetes_resource_type: 'Namespace',
  kubernetes_resource_uid: namespaceUid,
  db_relation_type: table,
  db_relation_key: key,
});
