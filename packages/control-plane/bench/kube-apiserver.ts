/** A real kube-apiserver with etcd, if installed, for the same load. */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Target } from './load.ts';

export interface Peer {
  readonly apiServer: string;
  readonly etcd: string;
}

/** Both programs: from `KUBE_APISERVER` and `ETCD`, or on the PATH. Prints a message if they are missing. */
export function findPeer(): Peer | undefined {
  const apiServer = process.env['KUBE_APISERVER'] ?? onPath('kube-apiserver');
  const etcd = process.env['ETCD'] ?? onPath('etcd');
  if (apiServer && etcd) return { apiServer, etcd };
  console.log(
    'no comparison with kube-apiserver: it and etcd are not on the PATH, nor named by KUBE_APISERVER and ETCD',
  );
  return undefined;
}

function onPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((dir) => join(dir, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export async function startPeer({ apiServer, etcd }: Peer): Promise<Target & { stop(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-peer-'));
  const [client, other, port] = [await freePort(), await freePort(), await freePort()];
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.reverse()) {
      const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await gone;
    }
    rmSync(dir, { recursive: true, force: true });
  };
  const run = (program: string, flags: Record<string, string>): void => {
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    children.push(spawn(program, args, { stdio: 'ignore', cwd: dir }));
  };
  run(etcd, {
    'data-dir': join(dir, 'etcd'),
    'listen-client-urls': `http://127.0.0.1:${client}`,
    'advertise-client-urls': `http://127.0.0.1:${client}`,
    'listen-peer-urls': `http://127.0.0.1:${other}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:${other}`,
    'initial-cluster': `default=http://127.0.0.1:${other}`,
  });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [signing, checking, tokens, certs] = ['sa.key', 'sa.pub', 'tokens.csv', 'certs'].map((name) => join(dir, name));
  writeFileSync(signing!, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(checking!, publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(tokens!, 'bench,bench,bench,system:masters\n');
  run(apiServer, {
    'etcd-servers': `http://127.0.0.1:${client}`,
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    'cert-dir': certs!,
    'token-auth-file': tokens!,
    'authorization-mode': 'RBAC',
    'endpoint-reconciler-type': 'none',
    'service-cluster-ip-range': '10.0.0.0/24',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': checking!,
    'service-account-signing-key-file': signing!,
  });
  const url = new URL(`https://127.0.0.1:${port}`);
  try {
    await ready(url, children);
    return { url, ca: readFileSync(join(certs!, 'apiserver.crt'), 'utf8'), token: 'bench', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ready(url: URL, children: readonly ChildProcess[]): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const ended = children.find(({ exitCode }) => exitCode !== null);
    if (ended) throw new Error(`${ended.spawnfile} ended with code ${ended.exitCode}`);
    if ((await statusOf(new URL('/readyz', url))) === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('kube-apiserver was not ready within two minutes');
}

/** The server signs its certificate itself when it starts. */
const statusOf = (url: URL): Promise<number> =>
  new Promise((resolve) => {
    const asked = request(url, { rejectUnauthorized: false, headers: { authorization: 'Bearer bench' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', () => resolve(0));
    asked.end();
  });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
