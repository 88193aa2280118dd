import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agentKind, crdOf, gitopsDeploymentKind } from '@fairlead/api';
import { crdType, type KubeObject } from '@fairlead/apimachinery';
import { startNeighbour } from '@fairlead/kube/testing';
import { admit, clusterId, invite, join } from '../../src/index.ts';
import { LogStreamDataSchema, LogStreamService } from '../../src/wire/gen/logstream_pb.ts';
import type { GrpcError } from '../../src/wire/grpc-frames.ts';
import { encodeMessage, methodPath } from '../../src/wire/rpc.ts';
import { makeNamespace, until } from '../support/clusters.ts';
import { deliveriesTo, startHub, type TestAgent, type TestHub } from '../support/hub.ts';
import { openManualStream } from '../support/manual-stream.ts';

let hub: TestHub;
let edge: TestAgent;

before(async () => {
  hub = await startHub();
  edge = await hub.startAgent('edge', 'managed');
});
after(() => hub.close());

const inviting = (agent: string) => invite(hub.cluster.client, 'argocd', { agent, mode: 'managed' });
const byHand = async (agent: string, token?: string) =>
  openManualStream(await hub.invited(agent), {
    address: hub.principal.address,
    version: hub.version,
    ...(token === undefined ? {} : { token }),
  });

test('reserved namespaces and namespaces of tenants cannot be invited as agents', async () => {
  for (const agent of ['argocd', 'kube-system', 'kube-public', 'default'])
    await assert.rejects(inviting(agent), new RegExp(`agent name ${agent} is reserved`, 'u'));
  await assert.rejects(inviting('Not A Name'), /invalid agent name/u);
  await hub.cluster.client.create(crdType, crdOf(gitopsDeploymentKind));
  await makeNamespace(hub.cluster.client, 'team-blue');
  await until(async () => (await hub.cluster.client.list(gitopsDeploymentKind.type)) !== undefined);
  const deployment: KubeObject & { spec: object } = {
    apiVersion: 'managed-gitops.redhat.com/v1alpha1',
    kind: 'GitOpsDeployment',
    metadata: { name: 'shop', namespace: 'team-blue' },
    spec: { source: { repoURL: 'https://git.example.com/shop', path: 'deploy' }, type: 'manual' },
  };
  await hub.cluster.client.create(gitopsDeploymentKind.type, deployment);
  await assert.rejects(inviting('team-blue'), /namespace team-blue belongs to a tenant/u);
  const { items } = await hub.cluster.client.list(agentKind.type, { namespace: 'argocd' });
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['edge'],
    'nothing was created',
  );
  await inviting('team-green');
});

test('an Agent of a reserved name that was created by hand is not admitted', () => {
  const admission = admit(
    { mode: 'managed' },
    { agent: 'kube-system', controlPlaneNamespace: 'argocd', mode: 'managed' },
  );
  assert.ok(!admission.admitted);
  assert.match(admission.reason, /agent name kube-system is reserved/u);
});

test('a certificate of a deleted Agent does not work for the next one of its name', async () => {
  const earlier = await hub.invited('west');
  await hub.cluster.client.delete(agentKind.type, { namespace: 'argocd', name: 'west' });
  const next = await join(await inviting('west'), await clusterId(edge.cluster.client));
  const options = { address: hub.principal.address, version: hub.version };
  await until(async () => {
    await assert.rejects(openManualStream(earlier, options), /issued to an earlier agent west/u);
    return true;
  });
  const stream = await openManualStream(next, options);
  assert.equal(stream.ended(), undefined);
  stream.client.close();
});

/** Opens a log stream as an agent, and sends one message. */
async function sendLog(agent: Awaited<ReturnType<typeof byHand>>, bytes: Uint8Array, token: string | undefined) {
  let ended: { error: GrpcError | undefined } | undefined;
  const call = agent.client.call(
    methodPath(LogStreamService.method.streamLogs),
    { message: () => {}, tooLarge: () => {}, ended: (error) => (ended = { error }) },
    token,
  );
  call.send(bytes);
  call.end();
  await until(() => ended !== undefined);
  return ended?.error?.message;
}

test('a log stream needs the token of its agent, and transports only logs requested from that agent', async () => {
  const neighbour = await startNeighbour(await deliveriesTo(hub, 'edge', edge));
  const [asked, liar] = [await byHand('asked'), await byHand('liar')];
  const answer = hub.principal.logs('asked', { namespace: 'demo', podName: 'web' });
  const request = () => asked.received.find(({ attributes }) => attributes['dataschema'] === 'containerlog');
  await until(() => request() !== undefined);
  const { uuid } = JSON.parse(request()!.data.toString()) as { uuid: string };
  const forged = encodeMessage(LogStreamDataSchema, { requestUuid: uuid, data: Buffer.from('forged'), eof: true });
  assert.match((await sendLog(liar, forged, undefined)) ?? '', /token/u);
  assert.match((await sendLog(liar, forged, asked.token)) ?? '', /agent liar uses the token of agent asked/u);
  assert.match((await sendLog(liar, forged, liar.token)) ?? '', /no log .* was requested from agent liar/u);
  assert.match((await sendLog(liar, Buffer.from('no protobuf'), liar.token)) ?? '', /./u, 'and nothing crashes');
  await neighbour.assertUnaffected();
  const genuine = encodeMessage(LogStreamDataSchema, { requestUuid: uuid, data: Buffer.from('genuine'), eof: true });
  assert.equal(await sendLog(asked, genuine, asked.token), undefined);
  assert.deepEqual(await answer, { status: 200, body: 'genuine' });
  assert.match((await sendLog(asked, genuine, asked.token)) ?? '', /no log/u, 'a replay is ignored');
  for (const { client } of [asked, liar]) client.close();
});

test('the agent itself sends logs with its token', async () => {
  const { status, body } = await hub.principal.logs('edge', { namespace: 'demo', podName: 'web' });
  assert.equal(status, 200, body);
  assert.match(body, /^edge \/api\/v1\/namespaces\/demo\/pods\/web\/log/u);
});

test('a live response is accepted only from the agent that received the request', async () => {
  const [asked, liar] = [await byHand('live-asked'), await byHand('live-liar')];
  const answer = hub.principal.liveRequest('live-asked', '/version');
  const request = () => asked.received.find(({ attributes }) => attributes['dataschema'] === 'resource');
  await until(() => request() !== undefined);
  const { uuid } = JSON.parse(request()!.data.toString()) as { uuid: string };
  const response = (resource: string) => ({ uuid, status: 200, resource });
  liar.send('response', 'resource', { resourceid: uuid, eventid: uuid }, response('forged'));
  await until(() => liar.received.some(({ type }) => type.endsWith('.processed')));
  asked.send('response', 'resource', { resourceid: uuid, eventid: uuid }, response('genuine'));
  assert.equal((await answer).body, 'genuine');
  for (const { client } of [asked, liar]) client.close();
});
