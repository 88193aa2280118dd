import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianPart } from '@fairlead/source/testing';

/** A separate PostgreSQL, on loopback and in a temporary directory. */
export interface RealPostgres {
  readonly url: string;
  /** Restarts it, on the same port and data. */
  start(): Promise<void>;
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** An empty database of this name, and its URL. */
  create(name: string): string;
  remove(): Promise<void>;
}

/** Recovery after a crash takes long on a busy machine. */
const startMs = 120_000;

/** The directory of the PostgreSQL programs; undefined if there are none and none can be installed. */
export async function findPostgres(): Promise<string | undefined> {
  const installed = (): string | undefined =>
    globSync('/usr/lib/postgresql/*/bin/postgres')
      .sort()
      .at(-1)
      ?.replace(/\/postgres$/u, '');
  if (installed() === undefined) debianPart('pg_ctlcluster', 'postgresql');
  return installed();
}

export async function startRealPostgres(
  bin: string,
  options: { readonly durable?: boolean } = {},
): Promise<RealPostgres> {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-postgres-'));
  const account = otherThanRoot();
  if (account) chownSync(root, account.uid, account.gid);
  const data = join(root, 'data');
  const run = (program: string, ...args: string[]): string =>
    execFileSync(join(bin, program), args, {
      ...account,
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
  run('initdb', '-D', data, '-U', 'fairlead', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C');
  const port = await freePort();
  const settings = [
    '-c',
    'max_connections=200',
    ...(options.durable ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off']),
  ];
  let server: ChildProcess | undefined;
  const isUp = (): boolean => {
    try {
      run('pg_isready', '-h', '127.0.0.1', '-p', String(port), '-q');
      return true;
    } catch {
      return false;
    }
  };
  const launch = (): ChildProcess =>
    spawn(join(bin, 'postgres'), ['-D', data, '-k', root, '-h', '127.0.0.1', '-p', String(port), ...settings], {
      ...account,
      cwd: root,
      stdio: 'ignore',
    });
  const start = async (): Promise<void> => {
    let starting = (server = launch());
    for (const end = performance.now() + startMs; performance.now() < end; ) {
      if (isUp()) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
      // It refuses to start while processes of a server that has crashed are still ending.
      if (starting.exitCode !== null) starting = server = launch();
    }
    throw new Error(`PostgreSQL did not start within ${startMs / 1000} s`);
  };
  const stop = async (how: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    const stopping = server;
    server = undefined;
    if (!stopping || stopping.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => stopping.once('exit', () => resolve()));
    stopping.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  };
  await start();
  return {
    url: `postgres://fairlead@127.0.0.1:${port}/postgres`,
    start,
    stop,
    create(name) {
      run(
        'psql',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'fairlead',
        '-d',
        'postgres',
        '-qc',
        `CREATE DATABASE ${name}`,
      );
      return `postgres://fairlead@127.0.0.1:${port}/${name}`;
    },
    async remove() {
      await stop('immediate');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function otherThanRoot(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const name = existsSync('/var/lib/postgresql') ? 'postgres' : 'nobody';
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
