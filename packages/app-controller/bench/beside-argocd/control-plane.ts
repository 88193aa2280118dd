import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import { freePort } from '@fairlead/source/testing';
import { Processes } from '../../test/support/real-argocd/index.ts';

/** The users of the API server, whose requests are counted separately. */
export type User = 'bench' | 'peer';

export interface RealControlPlane {
  kubeconfig(user: User): string;
  /** Requests of the system under test so far. */
  requests(): number;
  stop(): Promise<void>;
}

/** A kube-apiserver with etcd, from the programs of a folder. It has no controllers: the objects of the benchmark need none. */
export async function startControlPlane(kubeBin: string, dir: string): Promise<RealControlPlane> {
  mkdirSync(dir, { recursive: true });
  const file = (name: string): string => join(dir, name);
  const [etcd, etcdPeer, api] = [await freePort(), await freePort(), await freePort()];
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(file('sa.key'), privateKey, { mode: 0o600 });
  writeFileSync(file('sa.pub'), publicKey);
  writeFileSync(file('tokens.csv'), 'bench-token,bench,1,"system:masters"\npeer-token,peer,2,"system:masters"\n', {
    mode: 0o600,
  });
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    rules: [{ level: 'Metadata', users: ['peer'] }, { level: 'None' }],
  };
  writeFileSync(file('audit.json'), JSON.stringify(policy));
  const processes = new Processes(dir);
  const etcdUrl = `http://127.0.0.1:${etcd}`;
  const peerUrl = `http://127.0.0.1:${etcdPeer}`;
  processes.start('etcd', join(kubeBin, 'etcd'), [
    ...['--data-dir', file('etcd'), '--unsafe-no-fsync', '--log-level', 'warn', '--quota-backend-bytes', '4294967296'],
    ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...[
      '--listen-peer-urls',
      peerUrl,
      '--initial-advertise-peer-urls',
      peerUrl,
      '--initial-cluster',
      `default=${peerUrl}`,
    ],
  ]);
  processes.start('kube-apiserver', join(kubeBin, 'kube-apiserver'), [
    ...[
      '--etcd-servers',
      etcdUrl,
      '--bind-address',
      '127.0.0.1',
      '--secure-port',
      String(api),
      '--cert-dir',
      file('certs'),
    ],
    ...[
      '--token-auth-file',
      file('tokens.csv'),
      '--authorization-mode',
      'RBAC',
      '--service-cluster-ip-range',
      '10.96.0.0/16',
    ],
    ...['--service-account-issuer', 'https://kubernetes.default.svc', '--service-account-key-file', file('sa.pub')],
    ...['--service-account-signing-key-file', file('sa.key')],
    ...['--audit-policy-file', file('audit.json'), '--audit-log-path', file('audit.log')],
    ...['--max-requests-inflight', '1000', '--max-mutating-requests-inflight', '500'],
  ]);
  const kubeconfig = (user: User): string => {
    const path = file(`${user}.kubeconfig`);
    const cluster = { server: `https://127.0.0.1:${api}`, 'insecure-skip-tls-verify': true };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { token: `${user}-token` } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'argocd' } }],
      'current-context': 'x',
    };
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  };
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig('bench') })).client);
  for (let attempt = 0; ; attempt++) {
    processes.check();
    const isReady = await client.read('/readyz').then(
      () => true,
      () => false,
    );
    if (isReady) break;
    if (attempt > 600) throw new Error('kube-apiserver was not ready within 5 minutes');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await client.close();
  return {
    kubeconfig,
    requests: () => readFileSync(file('audit.log'), 'utf8').split('\n').length - 1,
    stop: () => processes.stop(),
  };
}
