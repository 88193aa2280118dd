import type { MirroredObject } from '../../src/core/kinds.ts';
import type { Body, Message } from '../../src/core/message.ts';

const application = (revision: string): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: 'shop',
    namespace: 'edge',
    uid: 'u-1',
    resourceVersion: revision,
    annotations: { 'argocd.argoproj.io/source-uid': 's-1' },
  },
  spec: { source: { path: 'shop', targetRevision: revision, helm: { values: 'é€😀 '.repeat(40) } } },
  status: { sync: { status: 'Synced' } },
});
const item = { kind: 'Application', name: 'shop', uid: 'u-1', content: 'c-1', status: 'st-1', plain: 'p-1' } as const;
const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const bodies: readonly Body[] = [
  { type: 'upsert', kind: 'Application', name: 'shop', object: application('1'), create: true },
  { type: 'upsert', kind: 'Application', name: 'teams/shop', object: application('2'), create: false },
  { type: 'delete', kind: 'AppProject', name: 'default', uid: 'u-2', together: 3 },
  { type: 'delete', kind: 'Application', name: 'teams/shop', uid: 'u-1', ordered: true },
  { type: 'status', name: 'shop', uid: 's-1', object: application('3') },
  { type: 'status', name: 'shop', uid: 's-1', object: application('4') },
  { type: 'operation', name: 'shop', uid: 'u-1', id: 'op-1', operation: { sync: { revision: 'main' } } },
  { type: 'terminate', name: 'teams/shop', uid: 'u-1', id: 'op-1', operation: { sync: { revision: 'main' } } },
  { type: 'list-request', checksum: 'sum', content: 'content' },
  { type: 'list', round: 4, part: 1, parts: 2, items: [item, { ...item, name: 'teams/shop', uid: 'u-3' }] },
  { type: 'verify', item },
  { type: 'verify', item: { kind: 'Application', name: 'teams/shop', uid: 'u-4', content: '' } },
  { type: 'verify-all', items: [item] },
  { type: 'resync' },
  { type: 'processed', of: 7 },
  { type: 'processed', of: 8, error: 'no', also: [9, 10] },
  { type: 'processed', of: 11, equal: true },
  { type: 'error', kind: 'Application', name: 'teams/shop', message: 'it failed' },
  { type: 'ping' },
  { type: 'ping', report: { applications: 2, quarantined: [{ kind: 'Application', name: 'shop', reason: 'no' }] } },
  { type: 'pong' },
  { type: 'pong', confirm: 'token' },
];

/** A message of every kind, in the order in which one stream carries them. */
export const sampleMessages: readonly Message[] = bodies.map((body, index) => ({
  ...body,
  epoch: 'e1',
  number: index + 1,
  label: '',
  ...(index % 2 === 0 ? { trace } : {}),
}));
