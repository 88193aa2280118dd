export interface Migration {
  readonly name: string;
  readonly sql: string;
}

const first = `
CREATE SEQUENCE generation_seq;

CREATE TABLE ClusterCredentials (
  clustercredentials_cred_id text PRIMARY KEY,
  host text NOT NULL,
  kube_config text NOT NULL,
  kube_config_context text,
  serviceaccount_ns text,
  allowinsecure_skiptlsverify boolean NOT NULL,
  namespaces jsonb NOT NULL,
  cluster_resources boolean NOT NULL,
  created_on timestamptz NOT NULL
);

CREATE TABLE GitopsEngineCluster (
  gitopsenginecluster_id text PRIMARY KEY,
  clustercredentials_id text REFERENCES ClusterCredentials
);

CREATE TABLE GitopsEngineInstance (
  gitopsengineinstance_id text PRIMARY KEY,
  namespace_name text NOT NULL,
  namespace_uid text NOT NULL,
  enginecluster_id text NOT NULL REFERENCES GitopsEngineCluster,
  UNIQUE (namespace_uid, enginecluster_id)
);

CREATE TABLE ClusterUser (
  clusteruser_id text PRIMARY KEY,
  user_name text NOT NULL UNIQUE,
  display_name text NOT NULL,
  created_on timestamptz NOT NULL
);

CREATE TABLE ManagedEnvironment (
  managedenvironment_id text PRIMARY KEY,
  name text NOT NULL,
  clusteruser_id text NOT NULL REFERENCES ClusterUser,
  clustercredentials_id text REFERENCES ClusterCredentials,
  created_on timestamptz NOT NULL
);
CREATE INDEX ON ManagedEnvironment (clusteruser_id);
CREATE INDEX ON ManagedEnvironment (clustercredentials_id);

CREATE TABLE ClusterAccess (
  clusteraccess_user_id text REFERENCES ClusterUser,
  clusteraccess_managed_environment_id text REFERENCES ManagedEnvironment ON DELETE CASCADE,
  clusteraccess_gitops_engine_instance_id text REFERENCES GitopsEngineInstance,
  PRIMARY KEY (clusteraccess_user_id, clusteraccess_managed_environment_id, clusteraccess_gitops_engine_instance_id)
);
CREATE INDEX ON ClusterAccess (clusteraccess_managed_environment_id);

CREATE TABLE Operation (
  operation_id text PRIMARY KEY,
  instance_id text NOT NULL REFERENCES GitopsEngineInstance,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  operation_owner_user_id text NOT NULL,
  generation bigint NOT NULL,
  reached bigint NOT NULL,
  state text NOT NULL,
  human_readable_state text,
  requested_on timestamptz NOT NULL,
  created_on timestamptz NOT NULL,
  last_state_update timestamptz NOT NULL,
  lease_owner text,
  lease_until timestamptz,
  UNIQUE (instance_id, resource_type, resource_id)
);
CREATE INDEX operation_due ON Operation (operation_id) WHERE reached < generation;
CREATE INDEX ON Operation (last_state_update);
CREATE INDEX ON Operation (operation_owner_user_id);

CREATE TABLE Application (
  application_id text PRIMARY KEY,
  name text NOT NULL,
  spec_field jsonb NOT NULL,
  engine_instance_inst_id text NOT NULL REFERENCES GitopsEngineInstance,
  managed_environment_id text REFERENCES ManagedEnvironment ON DELETE SET NULL,
  clusteruser_id text NOT NULL REFERENCES ClusterUser,
  repo_url text NOT NULL,
  source_generation bigint NOT NULL,
  created_on timestamptz NOT NULL
);
CREATE INDEX ON Application (clusteruser_id, repo_url);
CREATE INDEX ON Application (managed_environment_id);

CREATE TABLE ApplicationState (
  applicationstate_application_id text PRIMARY KEY REFERENCES Application ON DELETE CASCADE,
  argocd_application_status bytea NOT NULL,
  status_hash text NOT NULL,
  updated_on timestamptz NOT NULL
);
CREATE INDEX ON ApplicationState (updated_on);

CREATE TABLE SyncOperation (
  syncoperation_id text PRIMARY KEY,
  application_id text REFERENCES Application ON DELETE SET NULL,
  clusteruser_id text NOT NULL REFERENCES ClusterUser,
  deployment_name text NOT NULL,
  revision text NOT NULL,
  desired_state text NOT NULL,
  phase text NOT NULL,
  message text NOT NULL,
  created_on timestamptz NOT NULL,
  updated_on timestamptz NOT NULL
);
CREATE INDEX ON SyncOperation (application_id);
CREATE INDEX ON SyncOperation (clusteruser_id);

CREATE TABLE RepositoryCredentials (
  repositorycredentials_id text PRIMARY KEY,
  repo_cred_user_id text NOT NULL REFERENCES ClusterUser,
  repo_cred_url text NOT NULL,
  repo_cred_secret_data text NOT NULL,
  repo_cred_secret text NOT NULL UNIQUE,
  repo_cred_engine_id text NOT NULL REFERENCES GitopsEngineInstance,
  created_on timestamptz NOT NULL
);
CREATE INDEX ON RepositoryCredentials (repo_cred_user_id);

CREATE TABLE DeploymentToApplicationMapping (
  deploymenttoapplicationmapping_uid_id text PRIMARY KEY,
  name text NOT NULL,
  namespace text NOT NULL,
  namespace_uid text NOT NULL,
  application_id text NOT NULL UNIQUE REFERENCES Application ON DELETE CASCADE
);
CREATE INDEX ON DeploymentToApplicationMapping (namespace, name);

CREATE TABLE APICRToDatabaseMapping (
  api_resource_type text NOT NULL,
  api_resource_uid text NOT NULL,
  api_resource_name text NOT NULL,
  api_resource_namespace text NOT NULL,
  api_resource_namespace_uid text NOT NULL,
  db_relation_type text NOT NULL,
  db_relation_key text NOT NULL,
  PRIMARY KEY (api_resource_type, api_resource_uid, db_relation_type, db_relation_key)
);
CREATE INDEX ON APICRToDatabaseMapping (api_resource_type, api_resource_namespace, api_resource_name);
CREATE UNIQUE INDEX ON APICRToDatabaseMapping (db_relation_type, db_relation_key);

CREATE TABLE KubernetesToDBResourceMapping (
  kubernetes_resource_type text NOT NULL,
  kubernetes_resource_uid text NOT NULL,
  db_relation_type text NOT NULL,
  db_relation_key text NOT NULL,
  PRIMARY KEY (kubernetes_resource_type, kubernetes_resource_uid, db_relation_type, db_relation_key),
  UNIQUE (db_relation_type, db_relation_key, kubernetes_resource_type)
);

CREATE TABLE AppProjectRepository (
  appproject_repository_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  clusteruser_id text NOT NULL REFERENCES ClusterUser,
  repo_url text NOT NULL,
  UNIQUE (clusteruser_id, repo_url)
);

CREATE TABLE AppProjectManagedEnvironment (
  appproject_managed_environment_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  clusteruser_id text NOT NULL REFERENCES ClusterUser,
  managed_environment_id text NOT NULL REFERENCES ManagedEnvironment ON DELETE CASCADE,
  UNIQUE (clusteruser_id, managed_environment_id)
);
CREATE INDEX ON AppProjectManagedEnvironment (managed_environment_id);
`;

/** In order, each run once. A released migration is never changed: add a new one instead. */
export const migrations: readonly Migration[] = [{ name: '0001-tables', sql: first }];
