import type { StructuralSchema } from '@fairlead/api';
import { limits } from '@fairlead/kube';
import {
  applicationPage,
  facets,
  healthStatuses,
  heatmap,
  operationPhases,
  syncStatuses,
} from './application-shapes.ts';
import { applicationDiff, explanation, flow, preview, previewRequest, syncPlan } from './detail-shapes.ts';
import {
  agentList,
  bulkPlan,
  bulkRequest,
  bulkResult,
  imageList,
  me,
  operationList,
  prePullList,
  queueList,
  tenantList,
} from './installation-shapes.ts';

export interface Parameter {
  readonly description: string;
  readonly type?: 'integer' | 'boolean';
  /** May be given more than once: one of the values has to match. */
  readonly repeated?: true;
  readonly values?: readonly string[];
}

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Below `/api/fairlead/v1`. */
  readonly path: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: StructuralSchema;
  /** Undefined for the event stream. */
  readonly response?: StructuralSchema;
  /** Whether it changes something: such calls are audited. */
  readonly isChange?: true;
  /** Answered without a session. */
  readonly isPublic?: true;
}

export const basePath = '/api/fairlead/v1';

export const sortKeys = [
  'name',
  'project',
  'cluster',
  'sync',
  'health',
  'operation',
  'createdAt',
  'reconciledAt',
] as const;
export type SortKey = (typeof sortKeys)[number];
export const groupKeys = ['tenant', 'cluster', 'project', 'namespace'] as const;
export type GroupKey = (typeof groupKeys)[number];

const many = (description: string, values?: readonly string[]): Parameter => ({
  description,
  repeated: true,
  ...(values ? { values } : {}),
});

/** Values of one filter are alternatives; different filters must all match. */
const filters = {
  q: {
    description: `Up to ${limits.fleetQueryWords} words that must all be part of the name, project, cluster, namespace, repository, image or label.`,
  },
  sync: many('Sync status.', syncStatuses),
  health: many('Health.', healthStatuses),
  project: many('Project.'),
  tenant: many('Tenant; empty for Applications without one.'),
  cluster: many('Destination cluster: its name, or its server.'),
  namespace: many('Namespace of the Application.'),
  label: many('`KEY=VALUE`, or `KEY` for any value. Different keys must all match.'),
  autoSync: many('Whether changes are synced automatically.', ['true', 'false']),
  operation: many('Phase of the last sync.', operationPhases),
} as const satisfies Readonly<Record<string, Parameter>>;

export type FilterName = keyof typeof filters;

const since = {
  description:
    'The id of the last event that the client has read, of any replica: the answer includes what came before it.',
} as const satisfies Parameter;

const application = '/applications/{namespace}/{name}';

/** The API beside Argo CD's. Decoding of requests, the OpenAPI document and the client are made from this table. */
export const endpoints = {
  listApplications: {
    method: 'GET',
    path: '/applications',
    summary: 'Lists Applications that match, page by page.',
    query: {
      ...filters,
      sort: {
        description: 'The order; `-` before it reverses it. `health` and `sync` begin with the worst.',
        values: sortKeys.flatMap((key) => [key, `-${key}`]),
      },
      limit: { description: 'The size of a page, at most 1000; 100 by default.', type: 'integer' },
      cursor: { description: '`nextCursor` of the page before, with the same filters and order.' },
      since,
    },
    response: applicationPage,
  },
  getFacets: {
    method: 'GET',
    path: '/facets',
    summary: 'Counts Applications that match by their properties.',
    query: { ...filters, since },
    response: facets,
  },
  getHeatmap: {
    method: 'GET',
    path: '/heatmap',
    summary: 'The state of all Applications that match, in a compact form.',
    query: {
      ...filters,
      group: { description: 'Groups by this property; `project` by default.', values: groupKeys },
      since,
    },
    response: heatmap,
  },
  streamEvents: {
    method: 'GET',
    path: '/events',
    summary:
      'Server-sent events: `application`, `facets`, `agent`, `heartbeat`, and `reload` if the client has to read the lists again. Continues after `Last-Event-ID`.',
    query: {
      ...filters,
      types: many('Which events; `application` and `agent` by default.', ['application', 'agent', 'facets']),
      since: { description: 'Continues after this version, as `Last-Event-ID`.' },
    },
  },
  explainApplication: {
    method: 'GET',
    path: `${application}/explain`,
    summary: 'Why an Application is as it is, and what to do.',
    response: explanation,
  },
  getFlow: {
    method: 'GET',
    path: `${application}/flow`,
    summary: 'Each hop of an Application between the commit and the cluster.',
    response: flow,
  },
  getDiff: {
    method: 'GET',
    path: `${application}/diff`,
    summary: 'How the live state differs from the source, by field.',
    query: {
      states: { description: 'Whether the whole states of objects are included.', type: 'boolean' },
      all: { description: 'Whether objects that do not differ are included.', type: 'boolean' },
    },
    response: applicationDiff,
  },
  getSyncPlan: {
    method: 'GET',
    path: `${application}/sync-plan`,
    summary: 'What a sync would do.',
    query: {
      revision: { description: 'Of a source, in place of its target revision.' },
      prune: { description: 'Whether objects that are not in the source are deleted.', type: 'boolean' },
      resource: many('`GROUP:KIND:NAMESPACE/NAME` or `GROUP:KIND:NAME`: only these objects.'),
      dryRun: { description: 'Whether the cluster is asked what it would accept.', type: 'boolean' },
    },
    response: syncPlan,
  },
  previewApplication: {
    method: 'POST',
    path: '/preview',
    summary: 'Checks an Application as its creation would, and renders its sources. Changes nothing.',
    body: previewRequest,
    response: preview,
  },
  planBulk: {
    method: 'POST',
    path: '/bulk/plan',
    summary: 'What an action on many Applications would do. Changes nothing.',
    body: bulkRequest,
    response: bulkPlan,
  },
  runBulk: {
    method: 'POST',
    path: '/bulk',
    summary: 'Performs an action on many Applications.',
    body: bulkRequest,
    response: bulkResult,
    isChange: true,
  },
  listTenants: { method: 'GET', path: '/tenants', summary: 'Lists tenants.', response: tenantList },
  listAgents: { method: 'GET', path: '/agents', summary: 'Lists agents.', response: agentList },
  listImages: { method: 'GET', path: '/images', summary: 'Lists images, and what updates them.', response: imageList },
  listPrePulls: { method: 'GET', path: '/prepulls', summary: 'Lists pre-pulled images.', response: prePullList },
  listOperations: {
    method: 'GET',
    path: '/operations',
    summary: 'Lists syncs.',
    query: { limit: { description: 'At most 1000; 100 by default.', type: 'integer' } },
    response: operationList,
  },
  listQueues: { method: 'GET', path: '/queues', summary: 'Lists queues of roles.', response: queueList },
  getMe: {
    method: 'GET',
    path: '/me',
    summary: 'The caller, its rights, and settings.',
    response: me,
    isPublic: true,
  },
  getOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document.',
    isPublic: true,
    response: { type: 'object' },
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

export type EndpointId = keyof typeof endpoints;
export const endpointIds = Object.keys(endpoints).filter((id): id is EndpointId => Object.hasOwn(endpoints, id));
/** Without the literal types of the table. */
export const endpointOf = (id: EndpointId): Endpoint => endpoints[id];
