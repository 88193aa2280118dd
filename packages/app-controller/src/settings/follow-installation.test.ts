import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { type NewEvent, silentLogger } from '@fairlead/kube';
import { SimApiServer, Simulation } from '@fairlead/sim';
import { defaultSettings } from '../reconcile-env.ts';
import {
  type FollowedInstallation,
  followInstallation,
  reportSettingProblems,
  withInstallation,
} from './follow-installation.ts';

const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const settings = (data: Record<string, string>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: 'argocd' }, data }) as KubeObject;

async function follow() {
  const env = new Simulation(3);
  const server = new SimApiServer(env);
  const process = env.process('controller');
  const stop = new AbortController();
  const shared = { clock: process.clock, random: process.random, log: silentLogger };
  let followed: FollowedInstallation | undefined;
  void followInstallation(server.client(process), 'argocd', shared, stop.signal).then((found) => (followed = found));
  await env.reach(() => followed !== undefined, 60_000);
  return { sim: env, server, stop, installation: followed! };
}

test('settings take effect when they are added, changed and removed', async () => {
  const { sim: env, server, stop, installation } = await follow();
  const seen: number[] = [];
  const under = withInstallation(defaultSettings, installation);
  installation.onChange(() => seen.push(under.refreshMs));
  assert.equal(under.refreshMs, defaultSettings.refreshMs);
  server.store.create(type, settings({ 'timeout.reconciliation': '1h' }));
  await env.pass(5_000);
  server.store.replace(type, settings({ 'timeout.reconciliation': '2h' }));
  await env.pass(5_000);
  server.store.delete(type, { namespace: 'argocd', name: 'argocd-cm' });
  await env.pass(5_000);
  assert.deepEqual(seen, [3_600_000, 7_200_000, defaultSettings.refreshMs]);
  stop.abort();
});

test('an invalid setting is an event on the ConfigMap', async () => {
  const { sim: env, server, stop, installation } = await follow();
  const events: NewEvent[] = [];
  reportSettingProblems(installation, { record: (event) => events.push(event) }, 'argocd');
  server.store.create(type, settings({ 'timeout.reconciliation': 'soon' }));
  await env.pass(5_000);
  assert.deepEqual(
    events.map(({ reason, note, regarding }) => [regarding.metadata.name, reason, note]),
    [
      [
        'argocd-cm',
        'InvalidSetting',
        "ConfigMap argocd-cm: timeout.reconciliation: 'soon' is not a duration: write 180s or 1h30m",
      ],
    ],
  );
  stop.abort();
});
