import { type Static, schema as s } from '@fairlead/api';

const { boolean, int32, list, mapOf, object, oneOf, required, string, time } = s;

export const syncStatuses = ['Synced', 'OutOfSync', 'Unknown'] as const;
export const healthStatuses = ['Healthy', 'Progressing', 'Degraded', 'Suspended', 'Missing', 'Unknown'] as const;
/** `None`: no sync was ever started. */
export const operationPhases = ['None', 'Running', 'Terminating', 'Succeeded', 'Failed', 'Error'] as const;

export const syncStatus = oneOf(syncStatuses, 'Whether the live state matches the source.');
export const healthStatus = oneOf(healthStatuses, 'The health of the live objects.');
export const operationPhase = oneOf(operationPhases, 'How far the last sync is.');

export const operationSummary = object(
  {
    phase: required(operationPhase),
    startedAt: time(),
    finishedAt: time(),
    message: string(),
    initiatedBy: string('A user, or `automated`.'),
  },
  'The last sync, or the one that runs.',
);

export const applicationSummary = object(
  {
    namespace: required(string()),
    name: required(string()),
    uid: required(string()),
    project: required(string()),
    tenant: string('The namespace of the GitOpsDeployment that the Application was made from.'),
    cluster: required(string('The name of the destination cluster, or its server if it has no name.')),
    destinationNamespace: required(string()),
    labels: required(mapOf(string())),
    sync: required(syncStatus),
    health: required(healthStatus),
    reason: string('Why it is not Synced and Healthy, in one sentence.'),
    operation: operationSummary,
    autoSync: required(boolean('Whether changes are synced automatically.')),
    suspended: boolean('Automated sync is configured and disabled.'),
    deleting: boolean('It waits for its finalizers.'),
    repoURL: required(string('Of the first source.')),
    path: string(),
    chart: string(),
    targetRevision: required(string()),
    revision: required(string('The revision that was compared last; empty before the first comparison.')),
    images: required(list(string())),
    createdAt: required(time()),
    reconciledAt: time(),
    resourceVersion: required(string()),
  },
  'What lists show of an Application.',
);

export const applicationPage = object(
  {
    items: required(list(applicationSummary)),
    total: required(int32('The number of Applications that match, on all pages.')),
    nextCursor: string('The `cursor` of the next page; none on the last one.'),
    version: required(
      string('The state of the list, as an event id: a stream that continues after it misses nothing.'),
    ),
  },
  'A page of Applications.',
);

const counts = (description: string) => mapOf(int32(), description);

export const facets = object(
  {
    total: required(int32()),
    sync: required(counts('By sync status.')),
    health: required(counts('By health.')),
    project: required(counts('By project.')),
    tenant: required(counts('By tenant; Applications without one are not counted.')),
    cluster: required(counts('By destination cluster.')),
    namespace: required(counts('By namespace of the Application.')),
    autoSync: required(counts('By `true` and `false`.')),
    operation: required(counts('By phase of the last sync.')),
    labels: required(mapOf(mapOf(int32()), 'By label and value.')),
    truncated: required(list(string(), 'Facets with more values than are listed: those with the highest counts are.')),
    version: required(string()),
  },
  'Numbers of Applications by property. The counts of a property ignore the filter on that property.',
);

export const heatmap = object(
  {
    version: required(string()),
    legend: required(
      mapOf(
        object({ sync: required(syncStatus), health: required(healthStatus) }),
        'What each character of `states` means.',
      ),
    ),
    groups: required(
      list(
        object({
          name: required(string('Empty for Applications without a value.')),
          names: required(list(string('NAMESPACE/NAME'))),
          states: required(string('One character for each name.')),
        }),
      ),
    ),
  },
  'All Applications that match, by group, in a compact form.',
);

export interface ApplicationSummary extends Static<typeof applicationSummary> {}
export interface OperationSummary extends Static<typeof operationSummary> {}
export interface ApplicationPage extends Static<typeof applicationPage> {}
export interface FacetCounts extends Static<typeof facets> {}
export interface Heatmap extends Static<typeof heatmap> {}
