import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configMapType, isAlreadyExists, secretType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { freePort } from '@fairlead/source/testing';
import { Processes } from './processes.ts';

/** Starts the processes of a system that works on the Applications of a cluster. */
export type StartSystem = (dir: string, kubeconfig: string) => Promise<Processes>;

/** Argo CD's application controller, repo server and Redis. The program serves each by its name in the environment. */
export const startArgoCD =
  (program: string, redis: string): StartSystem =>
  async (dir, kubeconfig) => {
    const processes = new Processes(dir);
    const [redisPort, repoPort, repoMetrics, metrics] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    processes.start('redis', redis, [
      '--port',
      String(redisPort),
      '--save',
      '',
      '--appendonly',
      'no',
      '--bind',
      '127.0.0.1',
    ]);
    const home = join(dir, 'home');
    mkdirSync(home);
    // Its image has this program, which is called even if no project requires signatures.
    const bin = join(dir, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git-verify-wrapper.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const env = { HOME: home, ARGOCD_GPG_ENABLED: 'false', TMPDIR: home, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const redisFlags = ['--redis', `127.0.0.1:${redisPort}`];
    processes.start(
      'argocd-repo-server',
      program,
      [
        '--port',
        String(repoPort),
        '--metrics-port',
        String(repoMetrics),
        '--disable-tls',
        '--client-ca-path',
        '',
        '--address',
        '127.0.0.1',
        ...redisFlags,
      ],
      { ...env, ARGOCD_BINARY_NAME: 'argocd-repo-server' },
    );
    processes.start(
      'argocd-application-controller',
      program,
      [
        ...['--kubeconfig', kubeconfig, '--namespace', 'argocd', '--metrics-port', String(metrics), ...redisFlags],
        ...['--repo-server', `127.0.0.1:${repoPort}`, '--repo-server-plaintext'],
      ],
      {
        ...env,
        ARGOCD_BINARY_NAME: 'argocd-application-controller',
        ARGOCD_CONTROLLER_REPLICAS: '1',
        ARGOCD_FAKE_IN_CLUSTER: 'true',
        KUBECONFIG: kubeconfig,
      },
    );
    return processes;
  };

/** The settings that Argo CD does not start without. */
export async function createArgoCDSettings(client: ApiClient): Promise<void> {
  const labels = { 'app.kubernetes.io/part-of': 'argocd' };
  const metadata = (name: string) => ({
    name,
    namespace: 'argocd',
    labels: { ...labels, 'app.kubernetes.io/name': name },
  });
  const create = async (request: Promise<unknown>): Promise<void> => {
    await request.catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  };
  for (const name of ['argocd-cm', 'argocd-rbac-cm', 'argocd-tls-certs-cm', 'argocd-ssh-known-hosts-cm'])
    await create(client.create(configMapType, { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(name) }));
  await create(client.create(secretType, { apiVersion: 'v1', kind: 'Secret', metadata: metadata('argocd-secret') }));
}
