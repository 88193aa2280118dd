import { type Static, schema as s } from '@fairlead/api';
import { limits } from '@fairlead/kube';
import { applicationSummary, healthStatus, operationSummary, syncStatus } from './application-shapes.ts';

const { boolean, int32, list, mapOf, object, oneOf, required, string, time } = s;

const listOf = <T>(items: s.Schema<T>, description: string) => object({ items: required(list(items)) }, description);

const statusCounts = {
  applications: required(int32('Applications that the caller may see.')),
  sync: required(mapOf(int32(), 'Their number by sync status.')),
  health: required(mapOf(int32(), 'Their number by health.')),
};

export const tenant = object(
  {
    name: required(string('Its namespace.')),
    ...statusCounts,
    deployments: required(int32('GitOpsDeployments in the namespace.')),
    problems: required(list(string(), 'Errors that its GitOpsDeployments report, with their names.')),
  },
  'A tenant: a namespace with GitOpsDeployments.',
);
export const tenantList = listOf(tenant, 'Tenants.');

export const agent = object(
  {
    name: required(string()),
    mode: required(oneOf(['managed', 'autonomous'] as const)),
    connected: required(boolean('Whether a stream of it is open.')),
    data: string('`Fresh` if both sides were found equal recently.'),
    liveAccess: required(boolean('Whether live access to its cluster works.')),
    reason: string('Why it is not as expected, in one sentence.'),
    lastSeenTime: time(),
    connectedAt: time(),
    comparedAt: time(),
    version: string(),
    backlog: required(int32('Events that are not acknowledged yet, in both directions.')),
    certificateExpiry: time(),
    applications: required(int32()),
    blocked: boolean(),
    drained: boolean(),
    heldDeletions: int32('Deletions that wait for a confirmation.'),
    quarantined: required(list(object({ kind: string(), name: string(), reason: string() }))),
  },
  'A cluster whose agent connects to this hub.',
);
export const agentList = listOf(agent, 'Agents.');

export const image = object(
  {
    image: required(string('With its tag or digest.')),
    applications: required(list(string('NAMESPACE/NAME'), 'At most 100.')),
    count: required(int32('The number of Applications that use it.')),
  },
  'An image that Applications use.',
);
export const imageUpdate = object(
  {
    namespace: required(string()),
    name: required(string('Of the ImageUpdater.')),
    ready: required(boolean()),
    reason: string(),
    images: required(int32('Images that it follows.')),
    lastCheckedAt: time(),
    lastUpdatedAt: time(),
    updates: required(
      list(
        object({ alias: string(), image: string(), newVersion: string(), application: string(), updatedAt: time() }),
      ),
    ),
  },
  'What an ImageUpdater has done.',
);
export const imageList = object(
  { items: required(list(image)), updaters: required(list(imageUpdate)) },
  'Images of Applications, and what updates them.',
);

export const prePull = object(
  {
    namespace: required(string()),
    name: required(string()),
    image: required(string()),
    phase: required(oneOf(['Pending', 'InProgress', 'Completed', 'Failed'] as const)),
    startedAt: time(),
    finishedAt: time(),
    total: required(int32()),
    completed: required(int32()),
    failed: required(int32()),
    nodes: required(
      list(
        object({
          node: required(string()),
          status: required(string()),
          startedAt: time(),
          finishedAt: time(),
          error: string(),
        }),
      ),
    ),
    policy: string(),
  },
  'An image that is pulled before a rollout needs it.',
);
export const prePullList = listOf(prePull, 'Pre-pulled images.');

export const operationItem = object(
  {
    namespace: required(string()),
    name: required(string()),
    project: required(string()),
    cluster: required(string()),
    sync: required(syncStatus),
    health: required(healthStatus),
    revision: required(string()),
    operation: required(operationSummary),
  },
  'The last sync of an Application.',
);
export const operationList = listOf(operationItem, 'Syncs: those that run first, then by the time of their end.');

export const queue = object(
  {
    role: required(string('For example `controller`.')),
    instance: required(string('The process.')),
    name: required(string()),
    depth: required(int32()),
    oldestSeconds: int32(),
    reportedAt: required(time()),
  },
  'What waits in a role.',
);
export const roleStatus = object(
  {
    role: required(string()),
    instance: required(string()),
    version: string(),
    reportedAt: required(time()),
    live: required(boolean('Whether it has reported recently.')),
    problem: string('What keeps it from working, in one sentence.'),
  },
  'A process of a role.',
);
export const queueList = object(
  { items: required(list(queue)), roles: required(list(roleStatus)) },
  'Queues of roles, as they report them.',
);

export const bulkActions = ['sync', 'refresh', 'suspend', 'resume'] as const;
const applicationRef = object({ namespace: required(string()), name: required(string()) });
export const bulkRequest = object(
  {
    action: required(oneOf(bulkActions)),
    filter: string('The query of a list, for example `project=shop&health=Degraded`.'),
    applications: list(applicationRef, { description: 'In place of `filter`.', maxItems: limits.fleetBulk }),
    prune: boolean('With `sync`.'),
    hard: boolean('With `refresh`: without caches.'),
  },
  'An action on many Applications.',
);
export const bulkPlan = object(
  {
    total: required(int32()),
    items: required(
      list(
        object({
          namespace: required(string()),
          name: required(string()),
          allowed: required(boolean()),
          reason: string('Why it is not allowed, or changes nothing.'),
          effect: required(string()),
        }),
      ),
    ),
  },
  'What an action would do.',
);
export const bulkResult = object(
  {
    results: required(
      list(
        object({
          namespace: required(string()),
          name: required(string()),
          ok: required(boolean()),
          message: string(),
        }),
      ),
    ),
  },
  'What an action has done.',
);

export const me = object(
  {
    loggedIn: required(boolean()),
    username: required(string('Empty if nobody is signed in.')),
    groups: required(list(string())),
    issuer: string(),
    can: required(
      mapOf(boolean(), 'Whether the caller may do something in some project: `applications:create` and others.'),
    ),
    settings: required(
      object({
        url: string(),
        version: required(string()),
        namespace: string('Of the installation; only if somebody is signed in.'),
        cluster: required(oneOf(['embedded', 'kubernetes'] as const)),
        anonymous: required(boolean('Whether requests without a session are answered.')),
        authDisabled: required(boolean()),
        execEnabled: required(boolean()),
        badgeEnabled: required(boolean()),
        passwordSignIn: required(boolean()),
        ssoPath: string('Where sign-in with the identity provider begins.'),
        ssoName: string(),
        banner: object({
          content: required(string()),
          url: string(),
          permanent: required(boolean()),
          position: string(),
        }),
        help: object({ chatUrl: string(), chatText: string(), downloads: required(mapOf(string())) }),
        cssUrl: string(),
        loginButtonText: string(),
        applicationsInAnyNamespace: required(boolean()),
      }),
    ),
  },
  'The caller, what it may do, and what a web application needs to know.',
);

const eventTypes = ['ADDED', 'MODIFIED', 'DELETED'] as const;
export const applicationEvent = object(
  {
    type: required(oneOf(eventTypes, '`DELETED` also if it no longer matches the filter.')),
    summary: required(applicationSummary),
  },
  'The data of an `application` event.',
);
export const agentEvent = object(
  { type: required(oneOf(eventTypes)), agent: required(agent) },
  'The data of an `agent` event.',
);

export interface Tenant extends Static<typeof tenant> {}
export interface AgentSummary extends Static<typeof agent> {}
export interface ImageUse extends Static<typeof image> {}
export interface ImageUpdate extends Static<typeof imageUpdate> {}
export interface PrePull extends Static<typeof prePull> {}
export interface OperationItem extends Static<typeof operationItem> {}
export interface Queue extends Static<typeof queue> {}
export interface RoleStatus extends Static<typeof roleStatus> {}
export interface BulkRequest extends Static<typeof bulkRequest> {}
export interface BulkPlan extends Static<typeof bulkPlan> {}
export interface BulkResult extends Static<typeof bulkResult> {}
export interface Me extends Static<typeof me> {}
