/** What the fleet index takes beside the Applications that the server has from its watch, and what queries cost, as a child process. */
import type { Application } from '@fairlead/api';
import { limits } from '@fairlead/kube';
import { endpoints, sortKeys } from '../src/fleet/api/endpoints.ts';
import { ApplicationIndex, type KeyedViewer } from '../src/fleet/applications/application-index.ts';
import { facetCounts } from '../src/fleet/applications/facet-counts.ts';
import { readFilter } from '../src/fleet/applications/filter.ts';
import { pageOf } from '../src/fleet/applications/queries.ts';
import { recordOf } from '../src/fleet/applications/summary.ts';
import { QueryValues } from '../src/fleet/http/query-values.ts';
import { EventLog } from '../src/fleet/stream/event-log.ts';
import { applicationNumber } from './fleet.ts';
import { facets, lists } from './fleet-queries.ts';

const count = Number(process.argv[2]);
/** Each with separate strings, as a watch delivers it. */
const received = (i: number, revision: string): Application => {
  const made = applicationNumber(i);
  const status = { ...made.status, sync: { ...made.status.sync, revision } };
  return JSON.parse(JSON.stringify({ ...made, status }));
};
const names = {
  cluster: ({ server = '' }: { readonly server?: string }) => ({ name: 'in-cluster', server }),
  tenant: (uid: string) => uid,
};
const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const applications = Array.from({ length: count }, (_, i) => received(i, 'a'.repeat(40)));
const before = heap();
const index = new ApplicationIndex();
for (const application of applications) index.put(recordOf(application, names));
process.send?.({ ask: 'index', value: heap() - before });

const log = new EventLog('bench', limits.fleetEvents);
for (const key of sortKeys) index.order(key);
for (let i = 0; i < limits.fleetEvents; i++) {
  const after = recordOf(received(i % count, String(i).padEnd(40, '0')), names);
  const old = index.put(after);
  log.append({ kind: 'application', ...(old ? { before: old } : {}), after });
}
process.send?.({ ask: 'log', value: heap() - before });
// Kept until here.
if (index.size !== count || log.last === 0 || applications.length !== count) throw new Error('the index is incomplete');

/** A caller that may see all but one project. */
const viewer: KeyedViewer = {
  key: '',
  reach: (project) => (project === 'team-1' ? 'none' : 'all'),
  allows: ({ summary }) => summary.project !== 'team-1',
};
const queryOf = (path: string): QueryValues =>
  QueryValues.read(new URLSearchParams(path.split('?')[1] ?? ''), endpoints.listApplications.query);
const runs = 50;

/** The mean of the query that takes most. */
function costOf(paths: readonly string[], ask: (query: QueryValues) => object): number {
  const means = paths.map((path) => {
    const query = queryOf(path);
    const { user, system } = process.cpuUsage();
    for (let i = 0; i < runs; i++) JSON.stringify(ask(query));
    const used = process.cpuUsage({ user, system });
    return (used.user + used.system) / 1_000 / runs;
  });
  return Math.max(...means);
}

const state = { index, version: '', rights: 0 };
const list = costOf(lists(count), (query) => pageOf(state, viewer, { query, path: {}, body: undefined }));
process.send?.({ ask: 'list', value: list });
process.send?.({ ask: 'facet', value: costOf(facets, (query) => facetCounts(index, readFilter(query), viewer)) });
process.disconnect();
