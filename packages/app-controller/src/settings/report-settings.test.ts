import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMapType, type KubeObject, secretType } from '@fairlead/apimachinery';
import { createLogger } from '@fairlead/kube';
import { SimApiServer, Simulation } from '@fairlead/sim';
import { reportUnsupportedSettings } from './report-settings.ts';

const metadata = (name: string) => ({ name, namespace: 'argocd' });

async function logOf(role: 'controller' | 'server' | 'applicationset' | 'notifications'): Promise<string> {
  const env = new Simulation(5);
  const server = new SimApiServer(env);
  const process = env.process(role);
  const settings: KubeObject & { data: Record<string, string> } = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('argocd-cm'),
    data: { 'resource.includeEventLabelKeys': 'team', 'extension.config': 'zsh', urll: 'x', url: 'https://x' },
  };
  const parameters = {
    ...settings,
    metadata: metadata('argocd-cmd-params-cm'),
    data: { 'applicationsetcontroller.dryrun': 'true', 'notificationscontroller.processors.count': '4' },
  };
  const cluster = {
    ...settings,
    kind: 'Secret',
    metadata: { ...metadata('east'), labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    data: { server: 'aHR0cHM6Ly94', shard: 'MQ==' },
  };
  server.store.create(configMapType, settings);
  server.store.create(configMapType, parameters);
  server.store.create(secretType, cluster);
  let lines = '';
  const log = createLogger({ level: 'warn', sink: (line) => (lines += `${line}\n`) });
  let isDone = false;
  void reportUnsupportedSettings(server.client(process), 'argocd', role, log).then(() => (isDone = true));
  await env.reach(() => isDone, 60_000);
  return lines;
}

const keysIn = (lines: string): string[] =>
  [
    'resource.includeEventLabelKeys',
    'extension.config',
    'urll',
    'applicationsetcontroller.dryrun',
    'notificationscontroller.processors.count',
    'shard',
  ].filter((key) => lines.includes(`: ${key}`));

test('every key without effect is in the log of one role', async () => {
  assert.deepEqual(keysIn(await logOf('controller')), ['resource.includeEventLabelKeys', 'urll']);
  assert.deepEqual(keysIn(await logOf('server')), ['extension.config']);
  assert.deepEqual(keysIn(await logOf('applicationset')), ['applicationsetcontroller.dryrun']);
  assert.deepEqual(keysIn(await logOf('notifications')), ['notificationscontroller.processors.count']);
});

test('the log has the reason', async () => {
  const lines = await logOf('applicationset');
  assert.match(lines, /fairlead appset preview/u);
  assert.equal(lines.trim().split('\n').length, 1);
});
