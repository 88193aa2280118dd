export { type Database, databaseOver, type Listen, type OpenDatabase, type Tx } from './database.ts';
export { memoryPglite } from './memory-pglite.ts';
export { migrate } from './migrate.ts';
export { migrations } from './migrations.ts';
export { openMemoryPglite, openPglite } from './open-pglite.ts';
export { openPostgres } from './open-postgres.ts';
export { type PgliteConnection, pglitePool } from './pglite-pool.ts';
export type {
  ApiCrToDatabaseMappingTable,
  ApplicationStateTable,
  ApplicationTable,
  AppProjectManagedEnvironmentTable,
  AppProjectRepositoryTable,
  ClusterAccessTable,
  ClusterCredentialsTable,
  ClusterUserTable,
  DeploymentToApplicationMappingTable,
  GitopsEngineClusterTable,
  GitopsEngineInstanceTable,
  KubernetesToDbResourceMappingTable,
  ManagedEnvironmentTable,
  OperationStateName,
  OperationTable,
  RepositoryCredentialsTable,
  ResourceTypeName,
  SyncOperationTable,
  SyncPhase,
  Tables,
} from './tables.ts';
