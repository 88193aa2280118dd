/** `fairlead notifications` as separate processes on one cluster, with a receiver on loopback. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Application, type ApplicationSet, applicationKind, applicationSetKind } from '@fairlead/api';
import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { connect, Fairlead, runCommand, temporaryFolder, until } from '../test/support/fairlead-process.ts';
import { openTargetCluster } from '../test/support/target-cluster.ts';

test('replicas and restarts send nothing twice, and a slow receiver delays no other', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(request.url ?? '');
    // Nobody answers /slow.
    if (request.url !== '/slow') response.writeHead(request.url === '/broken' ? 404 : 200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const kubeconfig = join(folder.path, 'kubeconfig');
  t.after(await openTargetCluster(kubeconfig, 0));
  const api = await connect(kubeconfig);
  t.after(() => api.close());
  const start = (...args: string[]): Fairlead => {
    const started = new Fairlead(['notifications', ...args, '--kubeconfig', kubeconfig]);
    t.after(() => started.stop('SIGKILL'));
    return started;
  };

  const first = start('--cache-dir', join(folder.path, 'cache'));
  await first.line('leader');
  const second = start('--cache-dir', join(folder.path, 'cache'));
  await second.line('notifications controller: waiting for leadership');
  const services = ['hook', 'slow', 'broken'];
  const configured = [...services, 'set'];
  await api.client.create<ConfigMap>(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-notifications-cm', namespace: 'argocd' },
    data: {
      ...Object.fromEntries(configured.map((name) => [`service.webhook.${name}`, `url: ${address}/${name}`])),
      'trigger.on-synced':
        "- when: app.status.sync.status == 'Synced'\n  oncePer: app.status.sync.revision\n  send: [note]",
      'template.note': 'message: "{{.app.metadata.name}} is synced"',
    },
  });
  // The annotation of an ApplicationSet is a subscription of its Applications.
  const set = await api.client.create<ApplicationSet>(applicationSetKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: {
      name: 'webs',
      namespace: 'argocd',
      annotations: { 'notifications.argoproj.io/subscribe.on-synced.set': '' },
    },
    spec: {
      generators: [{ list: { elements: [] } }],
      template: { metadata: { name: 'x' }, spec: { project: 'default', destination: {} } },
    },
  });
  const key = { namespace: 'argocd', name: 'web' };
  await api.client.create<Application>(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      ...key,
      ownerReferences: [
        {
          apiVersion: set.apiVersion,
          kind: set.kind,
          name: 'webs',
          uid: set.metadata.uid ?? '',
          controller: true,
        },
      ],
      annotations: Object.fromEntries(
        services.map((name) => [`notifications.argoproj.io/subscribe.on-synced.${name}`, '']),
      ),
    },
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example.com/app.git', path: '.' },
      destination: { name: 'in-cluster', namespace: 'default' },
    },
  });
  const setRevision = (revision: string): Promise<unknown> =>
    api.client.patch(applicationKind.type, key, 'merge', { status: { sync: { status: 'Synced', revision } } });
  const marks = async (): Promise<string> =>
    (await api.client.get<Application>(applicationKind.type, key)).metadata.annotations?.[
      'notified.notifications.argoproj.io'
    ] ?? '';
  const hooks = (name = 'hook'): number => received.filter((path) => path === `/${name}`).length;
  // A process that is killed between the answer of a receiver and the mark sends again: the marks are waited for.
  const isMarked = (revision: string, text: string): boolean =>
    ['hook', 'set'].every((name) => new RegExp(`${revision}:on-synced:[^"]*:${name}:`, 'u').test(text));
  await setRevision('r1');
  await until(async () => isMarked('r1', await marks()), 30_000, marks);
  assert.equal(hooks(), 1, 'the slow receiver has not answered yet');
  assert.ok(received.includes('/slow') && received.includes('/broken'));

  await first.stop('SIGKILL');
  await second.line('leader', 60_000);
  await setRevision('r2');
  await until(async () => isMarked('r2', await marks()), 30_000, marks);
  assert.equal(hooks(), 2, 'the new leader sends r2, and not r1 again');
  assert.equal(hooks('set'), 2, 'the subscription of the ApplicationSet is notified once for each revision');

  const status = () => runCommand(['notifications', 'status', '--kubeconfig', kubeconfig]);
  const shown = async (): Promise<string> => (await status()).stdout;
  await until(async () => /Notification on-synced to broken failed/u.test(await shown()), 30_000, shown);
  assert.match(await shown(), /r1:on-synced/u);
  assert.equal((await status()).code, 3, 'a failed delivery is a problem');
});
