/** What the fleet index takes beside the Applications that the server has from its watch, as a child process. */
import type { Application } from '@fairlead/api';
import { limits } from '@fairlead/kube';
import { sortKeys } from '../src/fleet/api/endpoints.ts';
import { ApplicationIndex } from '../src/fleet/applications/application-index.ts';
import { recordOf } from '../src/fleet/applications/summary.ts';
import { EventLog } from '../src/fleet/stream/event-log.ts';
import { applicationNumber } from './fleet.ts';

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
process.disconnect();
