import type { ApplicationSpec } from '@fairlead/api';
import type { ColumnType, Generated } from 'kysely';

/**
 * The tables, under the names that users and operators of the service know. Keys are Kubernetes uids where there is one: a row that is
 * written twice is one row, even if a process crashed in between.
 */
export interface Tables {
  clustercredentials: ClusterCredentialsTable;
  gitopsenginecluster: GitopsEngineClusterTable;
  gitopsengineinstance: GitopsEngineInstanceTable;
  managedenvironment: ManagedEnvironmentTable;
  clusteruser: ClusterUserTable;
  clusteraccess: ClusterAccessTable;
  operation: OperationTable;
  application: ApplicationTable;
  applicationstate: ApplicationStateTable;
  syncoperation: SyncOperationTable;
  repositorycredentials: RepositoryCredentialsTable;
  deploymenttoapplicationmapping: DeploymentToApplicationMappingTable;
  apicrtodatabasemapping: ApiCrToDatabaseMappingTable;
  kubernetestodbresourcemapping: KubernetesToDbResourceMappingTable;
  appprojectrepository: AppProjectRepositoryTable;
  appprojectmanagedenvironment: AppProjectManagedEnvironmentTable;
}

/** Written as text, read as an object. */
type Jsonb<T> = ColumnType<T, string, string>;

export interface ClusterCredentialsTable {
  clustercredentials_cred_id: string;
  host: string;
  /** The credentials, encrypted. */
  kube_config: string;
  kube_config_context: string | null;
  serviceaccount_ns: string | null;
  allowinsecure_skiptlsverify: boolean;
  namespaces: Jsonb<string[]>;
  cluster_resources: boolean;
  created_on: Date;
}

export interface GitopsEngineClusterTable {
  /** The uid of the cluster's namespace kube-system. */
  gitopsenginecluster_id: string;
  clustercredentials_id: string | null;
}

export interface GitopsEngineInstanceTable {
  /** The uid of the namespace of the Argo CD instance. */
  gitopsengineinstance_id: string;
  namespace_name: string;
  namespace_uid: string;
  enginecluster_id: string;
}

export interface ManagedEnvironmentTable {
  managedenvironment_id: string;
  name: string;
  clusteruser_id: string;
  clustercredentials_id: string | null;
  created_on: Date;
}

/** A tenant: the users of one namespace. */
export interface ClusterUserTable {
  clusteruser_id: string;
  /** The uid of the tenant's namespace. */
  user_name: string;
  /** Its name. */
  display_name: string;
  created_on: Date;
}

export interface ClusterAccessTable {
  clusteraccess_user_id: string;
  clusteraccess_managed_environment_id: string;
  clusteraccess_gitops_engine_instance_id: string;
}

export type ResourceTypeName =
  | 'Application'
  | 'ManagedEnvironment'
  | 'RepositoryCredentials'
  | 'SyncOperation'
  | 'ClusterUser'
  | 'GitOpsEngineInstance';
export type OperationStateName = 'Waiting' | 'In_Progress' | 'Completed' | 'Failed';

/** One row for each resource: the generation that must be reached, and the one that was. It is due while `reached` is below `generation`. */
export interface OperationTable {
  operation_id: string;
  instance_id: string;
  resource_type: ResourceTypeName;
  resource_id: string;
  operation_owner_user_id: string;
  generation: number;
  reached: number;
  state: OperationStateName;
  human_readable_state: string | null;
  /** When the change that requires this generation was observed. */
  requested_on: Date;
  created_on: Date;
  last_state_update: Date;
  lease_owner: string | null;
  lease_until: Date | null;
}

export interface ApplicationTable {
  /** The uid of the GitOpsDeployment. */
  application_id: string;
  name: string;
  spec_field: Jsonb<ApplicationSpec>;
  engine_instance_inst_id: string;
  managed_environment_id: string | null;
  clusteruser_id: string;
  repo_url: string;
  /** metadata.generation of the GitOpsDeployment: an older one never overwrites a newer one. */
  source_generation: number;
  created_on: Date;
}

export interface ApplicationStateTable {
  applicationstate_application_id: string;
  /** The status of the Application, compressed. */
  argocd_application_status: Uint8Array;
  status_hash: string;
  updated_on: Date;
}

export type SyncPhase = 'Waiting' | 'Running' | 'Succeeded' | 'Failed' | 'Terminated';

export interface SyncOperationTable {
  /** The uid of the GitOpsDeploymentSyncRun. */
  syncoperation_id: string;
  application_id: string | null;
  clusteruser_id: string;
  deployment_name: string;
  revision: string;
  desired_state: 'Running' | 'Terminated';
  phase: SyncPhase;
  message: string;
  created_on: Date;
  updated_on: Date;
}

export interface RepositoryCredentialsTable {
  repositorycredentials_id: string;
  repo_cred_user_id: string;
  repo_cred_url: string;
  /** User, password and key, encrypted together. */
  repo_cred_secret_data: string;
  /** The Secret that Argo CD reads. */
  repo_cred_secret: string;
  repo_cred_engine_id: string;
  created_on: Date;
}

export interface DeploymentToApplicationMappingTable {
  deploymenttoapplicationmapping_uid_id: string;
  name: string;
  namespace: string;
  namespace_uid: string;
  application_id: string;
}

export interface ApiCrToDatabaseMappingTable {
  api_resource_type: string;
  api_resource_uid: string;
  api_resource_name: string;
  api_resource_namespace: string;
  api_resource_namespace_uid: string;
  db_relation_type: string;
  db_relation_key: string;
}

export interface KubernetesToDbResourceMappingTable {
  kubernetes_resource_type: string;
  kubernetes_resource_uid: string;
  db_relation_type: string;
  db_relation_key: string;
}

export interface AppProjectRepositoryTable {
  appproject_repository_id: Generated<number>;
  clusteruser_id: string;
  repo_url: string;
}

export interface AppProjectManagedEnvironmentTable {
  appproject_managed_environment_id: Generated<number>;
  clusteruser_id: string;
  managed_environment_id: string;
}
