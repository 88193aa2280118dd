import type { Database } from '../database/index.ts';

/** The engine that Operations are for: a namespace with Applications, on a cluster. */
export interface Engine {
  /** The uid of the cluster's kube-system. */
  readonly clusterUid: string;
  readonly namespace: string;
  readonly namespaceUid: string;
}

export const instanceOf = (engine: Engine): string => engine.namespaceUid;

/** Writes down which engine there is; any number of processes may. */
export async function ensureEngine(db: Database, engine: Engine): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('gitopsenginecluster')
      .values({ gitopsenginecluster_id: engine.clusterUid, clustercredentials_id: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .insertInto('gitopsengineinstance')
      .values({
        gitopsengineinstance_id: instanceOf(engine),
        namespace_name: engine.namespace,
        namespace_uid: engine.namespaceUid,
        enginecluster_id: engine.clusterUid,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .insertInto('kubernetestodbresourcemapping')
      .values([
        mapping(engine.clusterUid, 'GitopsEngineCluster', engine.clusterUid),
        mapping(engine.namespaceUid, 'GitopsEngineInstance', instanceOf(engine)),
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Clusters and tenants are known by the uid of a namespace. */
export const mapping = (namespaceUid: string, table: string, key: string) => ({
  kubernetes_resource_type: 'Namespace',
  kubernetes_resource_uid: namespaceUid,
  db_relation_type: table,
  db_relation_key: key,
});
