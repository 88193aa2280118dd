import type { Application } from '@fairlead/api';
import { isAutomated, sourcesOf, whyText } from '@fairlead/app-controller/application-text';
import {
  type ApplicationSummary,
  healthStatuses,
  type OperationSummary,
  operationPhases,
  syncStatuses,
} from '../api/application-shapes.ts';

/** On Applications that the service makes: the uid of the tenant's namespace. */
export const tenantLabel = 'managed-gitops.redhat.com/tenant';

/** An Application as it is indexed. */
export interface ApplicationRecord {
  readonly summary: ApplicationSummary;
  /** Of its destination; filters may name it in place of the cluster's name. */
  readonly server: string;
}

/** Names that Applications refer to and do not contain. */
export interface Names {
  /** The cluster of a destination. */
  cluster(destination: Application['spec']['destination']): { readonly name: string; readonly server: string };
  /** The namespace with this uid. */
  tenant(uid: string): string;
}

export function recordOf(application: Application, names: Names): ApplicationRecord {
  const { metadata, spec, status } = application;
  const { name: cluster, server } = names.cluster(spec.destination);
  const { namespace = '', name, uid = '', labels = {}, creationTimestamp, deletionTimestamp } = metadata;
  const tenantUid = labels[tenantLabel] ?? '';
  const [source] = sourcesOf(application);
  const [sync, health] = [
    oneOf(syncStatuses, status?.sync?.status, 'Unknown'),
    oneOf(healthStatuses, status?.health?.status, 'Unknown'),
  ];
  const reason = sync === 'Synced' && health === 'Healthy' ? '' : shortened(whyText(application));
  const operation = operationOf(application);
  const summary: ApplicationSummary = {
    namespace,
    name: name ?? '',
    uid,
    project: spec.project || 'default',
    ...(tenantUid === '' ? {} : { tenant: names.tenant(tenantUid) }),
    cluster,
    destinationNamespace: spec.destination.namespace ?? '',
    labels,
    sync,
    health,
    ...(reason === '' ? {} : { reason }),
    ...(operation ? { operation } : {}),
    autoSync: isAutomated(application),
    ...(spec.syncPolicy?.automated?.enabled === false ? { suspended: true } : {}),
    ...(deletionTimestamp === undefined ? {} : { deleting: true }),
    repoURL: withoutCredentials(source?.repoURL ?? spec.sourceHydrator?.drySource.repoURL ?? ''),
    ...(source?.path ? { path: source.path } : {}),
    ...(source?.chart ? { chart: source.chart } : {}),
    targetRevision: source?.targetRevision ?? spec.sourceHydrator?.drySource.targetRevision ?? '',
    revision: status?.sync?.revision || (status?.sync?.revisions?.[0] ?? ''),
    images: status?.summary?.images ?? [],
    createdAt: creationTimestamp ?? '',
    ...(status?.reconciledAt === undefined ? {} : { reconciledAt: status.reconciledAt }),
    resourceVersion: metadata.resourceVersion ?? '',
  };
  return { summary, server };
}

/** Between the request and its start by the controller there is no state yet. */
function operationOf({ operation: requested, status }: Application): OperationSummary | undefined {
  const state = status?.operationState;
  const operation = state?.operation ?? requested;
  if (!operation) return undefined;
  const by = operation.initiatedBy;
  const initiatedBy = by?.automated ? 'automated' : (by?.username ?? '');
  const message = shortened(state?.message ?? '');
  return {
    phase: state ? oneOf(operationPhases, state.phase, 'Running') : 'Running',
    ...(state?.startedAt === undefined ? {} : { startedAt: state.startedAt }),
    ...(state?.finishedAt === undefined ? {} : { finishedAt: state.finishedAt }),
    ...(message === '' ? {} : { message }),
    ...(initiatedBy === '' ? {} : { initiatedBy }),
  };
}

function oneOf<T extends string>(known: readonly T[], text: string | undefined, otherwise: T): T {
  return known.find((one) => one === text) ?? otherwise;
}

const mostText = 300;

/** A copy: a slice would keep the whole text in memory. */
const shortened = (text: string): string =>
  text.length <= mostText ? text : `${Buffer.from(text.slice(0, mostText - 1)).toString()}…`;

const withoutCredentials = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^/@]*@/iu, '$1');
