import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { ClusterAgent, invite, join, Principal, withCapabilities } from '../src/index.ts';
import { application, appType, find, makeNamespace, startCluster, until } from './support/clusters.ts';

test('principal and agent export metrics under the names of argocd-agent', async (t) => {
  const [hub, edge] = await Promise.all([startCluster(), startCluster()]);
  const stop = new AbortController();
  const shared = { clock: systemClock, random: systemRandom, log: silentLogger, version: withCapabilities('0.1.0') };
  const [ofPrincipal, ofAgent] = [new MetricsRegistry(), new MetricsRegistry()];
  const principal = await Principal.start(
    {
      ...{ ...shared, client: hub.client, namespace: 'argocd', registry: ofPrincipal },
      ...{ host: '127.0.0.1', port: 0, names: ['127.0.0.1'] },
    },
    stop.signal,
  );
  t.after(async () => {
    stop.abort();
    await principal.close();
    await Promise.all([hub.close(), edge.close()]);
  });
  await makeNamespace(hub.client, 'edge');
  const identity = await join(await invite(hub.client, 'argocd', { agent: 'edge', mode: 'managed' }), 'edge');
  const agent = new ClusterAgent({
    ...{ ...shared, client: edge.client, namespace: 'argocd', registry: ofAgent, identity, cluster: 'edge' },
  });
  const ended = agent.run(stop.signal);
  await hub.client.create(appType, application('edge', 'web'));
  await until(async () => (await find(edge.client, 'argocd', 'web')) !== undefined);
  const [hubText, agentText] = [await ofPrincipal.text(), await ofAgent.text()];
  assert.match(hubText, /^argocd_principal_connected_agents 1$/mu);
  assert.match(hubText, /^argocd_principal_agent_connections_total\{agent_name="edge"\} 1$/mu);
  assert.match(hubText, /^principal_events_sent [1-9]/mu);
  assert.match(hubText, /^principal_events_received [1-9]/mu);
  assert.match(agentText, /^argocd_agent_connection_status 1$/mu);
  assert.match(agentText, /^argocd_agent_connections_total 1$/mu);
  assert.match(agentText, /^argocd_agent_connection_start_timestamp_seconds 1\d{9}/mu);
  assert.match(agentText, /^agent_events_sent [1-9]/mu);
  assert.match(agentText, /^agent_events_received [1-9]/mu);
  stop.abort();
  await ended;
});
