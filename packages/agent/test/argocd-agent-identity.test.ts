import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { configMapType, type KubeObject, secretType } from '@fairlead/apimachinery';
import { readArgocdAgentIdentity } from '../src/agent/argocd-agent-identity.ts';
import { opaqueSecret } from '../src/cluster/opaque-secret.ts';
import { Authority } from '../src/principal/authority.ts';
import { startCluster, type TestCluster } from './support/clusters.ts';

let cluster: TestCluster;
before(async () => {
  cluster = await startCluster();
});
after(() => cluster.close());

test('an agent uses the Secrets and the ConfigMap of argocd-agent', async () => {
  const { client } = cluster;
  const read = (settings = {}) => readArgocdAgentIdentity(client, 'argocd', settings);
  assert.equal(await read(), undefined, 'the cluster has no agent of argocd-agent');
  const authority = await Authority.load(client, 'argocd');
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { pem: cert } = await authority.issueAgent(
    { agent: 'shop-7' },
    keys.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  );
  const key = keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  await client.create(secretType, opaqueSecret('argocd', 'argocd-agent-ca', { 'ca.crt': authority.ca }));
  assert.equal(await read(), undefined);
  await client.create(
    secretType,
    opaqueSecret('argocd', 'argocd-agent-client-tls', { 'tls.crt': cert, 'tls.key': key }),
  );
  await assert.rejects(read(), /the address of the principal is unknown: .* Set it with --principal/u);
  await assert.rejects(read({ address: 'hub:8443' }), /the mode of the agent is unknown: .* Set it with --mode/u);
  await assert.rejects(read({ address: 'hub:8443', mode: 'x' }), /agent mode "x" is invalid/u);
  const parameters: KubeObject & { data: Record<string, string> } = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-agent-params', namespace: 'argocd' },
    data: { 'agent.mode': 'autonomous', 'agent.server.address': 'hub.example.com', 'agent.server.port': '8443' },
  };
  await client.create(configMapType, parameters);
  const identity = {
    agent: 'shop-7',
    mode: 'autonomous',
    address: 'hub.example.com:8443',
    ca: authority.ca,
    cert,
    key,
  };
  assert.deepEqual(await read(), identity);
  assert.deepEqual(await read({ address: 'hub:1', mode: 'managed' }), {
    ...identity,
    address: 'hub:1',
    mode: 'managed',
  });
  await client.patch(secretType, { namespace: 'argocd', name: 'argocd-agent-client-tls' }, 'merge', {
    data: { 'tls.key': null },
  });
  await assert.rejects(read(), /Secret argocd\/argocd-agent-client-tls: tls.key is missing/u);
});
