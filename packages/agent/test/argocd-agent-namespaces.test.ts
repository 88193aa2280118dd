/** An agent of argocd-agent with destination-based mapping: it sends the namespace of each Application, which is significant. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import type { MirroredObject } from '../src/core/kinds.ts';
import { invite, join, Principal, withCapabilities } from '../src/index.ts';
import {
  application,
  appType,
  find,
  makeNamespace,
  startCluster,
  type TestCluster,
  until,
} from './support/clusters.ts';
import { openManualStream } from './support/manual-stream.ts';

const namespace = 'argocd';
const stop = new AbortController();
let hub: TestCluster;
let principal: Principal;
before(async () => {
  hub = await startCluster();
  principal = await Principal.start(
    {
      ...{ clock: systemClock, random: systemRandom, log: silentLogger, version: withCapabilities('0.1.0'), namespace },
      ...{ client: hub.client, host: '127.0.0.1', port: 0, names: ['127.0.0.1'], applicationNamespaces: ['team-*'] },
    },
    stop.signal,
  );
});
after(async () => {
  stop.abort();
  await principal.close();
  await hub.close();
});

test('Applications with one name in two namespaces are distinguished in lists, requests and status', async () => {
  const invitation = await invite(hub.client, namespace, { agent: 'theirs', mode: 'managed', mapping: 'destination' });
  const identity = await join(invitation, 'cluster');
  await makeNamespace(hub.client, 'team-a');
  const peer = await openManualStream(identity, { address: principal.address, version: '0.5.0' });
  await until(() => peer.sentObjects('request-resource-resync').length > 0, 10_000, 'the stream is open');
  const named = (at: string): MirroredObject => {
    const made = application(at, 'shop', at);
    return { ...made, spec: { ...made.spec, destination: { name: 'theirs', namespace: 'shop' } } };
  };
  const [usual, other] = [
    await hub.client.create(appType, named('argocd')),
    await hub.client.create(appType, named('team-a')),
  ];
  await until(() => peer.sentObjects('spec-update').length >= 2);
  const sent = peer
    .sentObjects('spec-update')
    .map(({ object }) => `${object.metadata.namespace}/${object.metadata.name}`);
  assert.deepEqual([...new Set(sent)].sort(), ['argocd/shop', 'team-a/shop']);
  peer.answerAll();

  peer.send('request-synced-resource-list', 'resourceResync', { eventid: 'list' }, { checksum: 'AAAA' });
  await until(() => peer.sentObjects('response-synced-resource').length >= 2);
  assert.deepEqual(
    peer.sentObjects('response-synced-resource').map(({ object }) => object),
    [
      { kind: 'Application', name: 'shop', uid: usual.metadata.uid },
      { kind: 'Application', name: 'shop', namespace: 'team-a', uid: other.metadata.uid },
    ],
  );

  const mirror = (source: MirroredObject, at: string, health: string) => ({
    ...source,
    metadata: {
      ...{ name: 'shop', namespace: at, uid: `copy-in-${at}` },
      annotations: { 'argocd.argoproj.io/source-uid': source.metadata.uid },
    },
    status: { health: { status: health } },
  });
  peer.send('status-update', 'application', { eventid: 's1' }, mirror(other, 'team-a', 'Degraded'));
  peer.send('status-update', 'application', { eventid: 's2' }, mirror(usual, 'argocd', 'Healthy'));
  const health = async (at: string) => (await find(hub.client, at, 'shop'))?.status?.['health'];
  await until(async () => (await health('team-a')) !== undefined && (await health('argocd')) !== undefined);
  assert.deepEqual([await health('team-a'), await health('argocd')], [{ status: 'Degraded' }, { status: 'Healthy' }]);

  peer.received.length = 0;
  const item = { kind: 'Application', name: 'shop', namespace: 'team-a', uid: other.metadata.uid, checksum: 'AAAA' };
  peer.send('request-update', 'resourceResync', { eventid: 'q1' }, item);
  await until(() => peer.sentObjects('spec-update').some(({ object }) => object.metadata.uid === other.metadata.uid));
  peer.send('request-update', 'resourceResync', { eventid: 'q2' }, { ...item, uid: 'gone' });
  await until(() => peer.sentObjects('delete').length > 0);
  const { metadata } = peer.sentObjects('delete')[0]!.object;
  assert.deepEqual([metadata.namespace, metadata.name, metadata.uid], ['team-a', 'shop', 'gone']);

  // A live request begins a trace too, which its response continues. The principal sends such requests periodically.
  let body: string | undefined;
  void principal.liveRequest('theirs', '/version').then((answer) => (body = answer.body));
  const liveRequests = () => peer.received.filter(({ attributes }) => attributes['dataschema'] === 'resource');
  await until(() => {
    for (const { attributes } of liveRequests()) {
      const { eventid: uuid = '', traceparent = '' } = attributes;
      assert.match(traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/u);
      peer.send('response', 'resource', { eventid: uuid, traceparent }, { uuid, status: 200, resource: '{}' });
    }
    return body === '{}';
  });
  const [{ attributes: asked }] = liveRequests() as unknown as [{ attributes: Record<string, string> }];
  const thanks = () =>
    peer.received.find(({ attributes }) => attributes['eventid'] === asked['eventid'] && attributes !== asked);
  await until(() => thanks() !== undefined);
  assert.equal(thanks()!.attributes['traceparent']?.slice(0, 35), asked['traceparent']!.slice(0, 35));
  peer.client.close();
});
