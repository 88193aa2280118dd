import type {
  Application,
  AppProject,
  GitOpsDeployment,
  GitOpsDeploymentManagedEnvironment,
  GitOpsDeploymentRepositoryCredential,
  GitOpsDeploymentSyncRun,
} from '@fairlead/api';
import type { KubeObject, Secret } from '@fairlead/apimachinery';
import type { Selectable } from 'kysely';
import { conditionType } from '../conditions.ts';
import type { Tables } from '../database/index.ts';
import { essentialStatus } from '../deployments/deployment-status.ts';
import { idLabel } from '../operation-controller/observed-application.ts';
import { isSame } from '../operation-controller/secrets.ts';
import { stableHash } from '../stable-hash.ts';
import { applicationNameOf } from '../store/index.ts';

/** One difference: the subject, and what differs. */
export interface Finding {
  readonly about: string;
  readonly problem: string;
}

export interface Sides {
  readonly resources: {
    readonly namespaces: readonly KubeObject[];
    readonly deployments: readonly GitOpsDeployment[];
    readonly syncRuns: readonly GitOpsDeploymentSyncRun[];
    readonly environments: readonly GitOpsDeploymentManagedEnvironment[];
    readonly credentials: readonly GitOpsDeploymentRepositoryCredential[];
  };
  readonly rows: {
    readonly applications: readonly Selectable<Tables['application']>[];
    readonly mappings: readonly Selectable<Tables['deploymenttoapplicationmapping']>[];
    readonly states: readonly { readonly applicationstate_application_id: string; readonly status_hash: string }[];
    readonly operations: readonly Selectable<Tables['operation']>[];
    readonly syncs: readonly Selectable<Tables['syncoperation']>[];
    readonly mapped: readonly Selectable<Tables['apicrtodatabasemapping']>[];
    readonly environments: readonly Selectable<Tables['managedenvironment']>[];
    readonly credentials: readonly { readonly repositorycredentials_id: string }[];
    readonly tenants: readonly Selectable<Tables['clusteruser']>[];
  };
  /** The actual objects of the Argo CD instance. */
  readonly found: {
    readonly applications: readonly Application[];
    readonly projects: readonly AppProject[];
    readonly secrets: readonly Secret[];
  };
  /** The desired objects, according to the rows. */
  readonly desired: {
    readonly projects: readonly AppProject[];
    readonly secrets: readonly Secret[];
    /** Rows whose content cannot be read. */
    readonly unreadable: readonly Finding[];
  };
}

/** Every difference between resources, rows and Argo CD's objects, in the order of the flow down. */
export function compare(sides: Sides): Finding[] {
  return [
    ...deployments(sides),
    ...mappedResources(sides),
    ...applications(sides),
    ...sides.desired.unreadable,
    ...engineObjects(sides),
    ...operations(sides),
    ...statuses(sides),
  ];
}

const nameOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;
const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? '';

/** Refused resources have no row, and a condition with the reason. */
const isRefused = ({ status }: GitOpsDeployment): boolean =>
  status?.conditions?.some(
    ({ type, status: holds, reason }) =>
      type === conditionType.errorOccurred && holds === 'True' && reason !== 'Retrying',
  ) ?? false;

function* deployments({ resources, rows }: Sides): Iterable<Finding> {
  const mapped = new Map(rows.mappings.map((row) => [row.deploymenttoapplicationmapping_uid_id, row]));
  const applied = new Set(rows.applications.map(({ application_id }) => application_id));
  for (const deployment of resources.deployments) {
    const about = `GitOpsDeployment ${nameOf(deployment)}`;
    if (!applied.has(uidOf(deployment)) && !isRefused(deployment))
      yield { about, problem: 'has no row in Application' };
    const row = mapped.get(uidOf(deployment));
    if (row && `${row.namespace}/${row.name}` !== nameOf(deployment))
      yield { about, problem: `is ${row.namespace}/${row.name} in DeploymentToApplicationMapping` };
  }
  const uids = new Set(resources.deployments.map(uidOf));
  for (const row of rows.mappings) {
    if (!uids.has(row.deploymenttoapplicationmapping_uid_id))
      yield {
        about: `row DeploymentToApplicationMapping ${row.namespace}/${row.name}`,
        problem: 'has no GitOpsDeployment',
      };
  }
  for (const { application_id } of rows.applications) {
    if (!mapped.has(application_id)) yield { about: `row Application ${application_id}`, problem: 'has no mapping' };
  }
}

function* mappedResources({ resources, rows }: Sides): Iterable<Finding> {
  const uids = new Set([...resources.syncRuns, ...resources.environments, ...resources.credentials].map(uidOf));
  for (const row of rows.mapped) {
    if (!uids.has(row.api_resource_uid))
      yield {
        about: `row APICRToDatabaseMapping ${row.api_resource_namespace}/${row.api_resource_name}`,
        problem: `has no ${row.api_resource_type}`,
      };
  }
  const keys = new Set(rows.mapped.map(({ db_relation_key }) => db_relation_key));
  for (const { syncoperation_id } of rows.syncs)
    if (!keys.has(syncoperation_id))
      yield { about: `row SyncOperation ${syncoperation_id}`, problem: 'has no mapping' };
  for (const row of rows.environments) {
    if (row.clustercredentials_id !== null && !keys.has(row.managedenvironment_id))
      yield { about: `row ManagedEnvironment ${row.name}`, problem: 'has no mapping' };
  }
  for (const { repositorycredentials_id } of rows.credentials)
    if (!keys.has(repositorycredentials_id))
      yield { about: `row RepositoryCredentials ${repositorycredentials_id}`, problem: 'has no mapping' };
  for (const environment of resources.environments) {
    const works = environment.status?.conditions?.some(
      ({ status, type }) => type === conditionType.connectionInitializationSucceeded && status === 'True',
    );
    if (works && !keys.has(uidOf(environment)))
      yield {
        about: `GitOpsDeploymentManagedEnvironment ${nameOf(environment)}`,
        problem: 'is connected and has no row',
      };
  }
}

function* applications({ rows, found }: Sides): Iterable<Finding> {
  const live = new Map(
    found.applications.map((application) => [application.metadata.labels?.[idLabel] ?? '', application]),
  );
  for (const { application_id, spec_field } of rows.applications) {
    const application = live.get(application_id);
    const about = `Application ${applicationNameOf(application_id)}`;
    if (!application) yield { about, problem: 'is not there, and its row is' };
    else if (stableHash(application.spec) !== stableHash(spec_field))
      yield { about, problem: 'has another spec than its row' };
  }
  const desired = new Set(rows.applications.map(({ application_id }) => application_id));
  for (const [id, application] of live)
    if (!desired.has(id)) yield { about: `Application ${application.metadata.name}`, problem: 'has no row' };
}

function* engineObjects({ found, desired }: Sides): Iterable<Finding> {
  const projects = new Map(found.projects.map((project) => [project.metadata.name, project]));
  for (const { metadata, spec } of desired.projects) {
    const project = projects.get(metadata.name);
    const about = `AppProject ${metadata.name}`;
    if (!project) yield { about, problem: 'is not there, and its tenant is' };
    else if (stableHash(project.spec) !== stableHash(spec))
      yield { about, problem: 'permits something else than its rows' };
  }
  const names = new Set(desired.projects.map(({ metadata }) => metadata.name));
  for (const name of projects.keys())
    if (!names.has(name)) yield { about: `AppProject ${name}`, problem: 'has no tenant' };
  const secrets = new Map(found.secrets.map((secret) => [secret.metadata.name, secret]));
  for (const secret of desired.secrets) {
    const live = secrets.get(secret.metadata.name);
    const about = `Secret ${secret.metadata.name}`;
    if (!live) yield { about, problem: 'is not there, and its row is' };
    else if (!isSame(live, secret)) yield { about, problem: 'has drifted from its row' };
  }
  const secretNames = new Set(desired.secrets.map(({ metadata }) => metadata.name));
  for (const name of secrets.keys())
    if (!secretNames.has(name)) yield { about: `Secret ${name}`, problem: 'has no row' };
}

function* operations({ rows }: Sides): Iterable<Finding> {
  for (const { operation_id, reached, generation, state, human_readable_state } of rows.operations) {
    const why = human_readable_state ? `: ${human_readable_state}` : '';
    if (reached < generation) yield { about: `Operation ${operation_id}`, problem: `is not done (${state})${why}` };
    else if (state === 'Failed') yield { about: `Operation ${operation_id}`, problem: `failed${why}` };
  }
}

function* statuses({ resources, rows, found }: Sides): Iterable<Finding> {
  const states = new Map(rows.states.map((row) => [row.applicationstate_application_id, row.status_hash]));
  const byId = new Map(resources.deployments.map((deployment) => [uidOf(deployment), deployment]));
  for (const application of found.applications) {
    const id = application.metadata.labels?.[idLabel] ?? '';
    const status = essentialStatus(application.status);
    if (Object.keys(status).length === 0) continue;
    if (states.get(id) !== stableHash(status))
      yield { about: `Application ${application.metadata.name}`, problem: 'has another status than ApplicationState' };
    const reported = byId.get(id)?.status;
    if (
      byId.has(id) &&
      (reported?.sync?.status !== status.sync?.status || reported?.health?.status !== status.health?.status)
    )
      yield { about: `GitOpsDeployment ${nameOf(byId.get(id)!)}`, problem: 'has another status than its Application' };
  }
}
