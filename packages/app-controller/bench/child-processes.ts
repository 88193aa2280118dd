import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sends a command to a controller process. */
export type Ask = <T>(command: string, argument?: string) => Promise<T>;

/** Starts an API server that is filled with Applications; resolves with the path of its kubeconfig. */
export async function startApiServer(
  dir: string,
  children: ChildProcess[],
  seed: { readonly apps: number; readonly strangers: number; readonly repoURL: string; readonly seeded: boolean },
): Promise<string> {
  const args = [String(seed.apps), String(seed.strangers), seed.repoURL, seed.seeded ? 'seeded' : ''];
  const server = fork(join(import.meta.dirname, 'api-server.ts'), args);
  children.push(server);
  const { ready } = await message<{ ready: { kubeconfig: string } }>(server);
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, ready.kubeconfig, { mode: 0o600 });
  return kubeconfig;
}

/** Starts a controller that waits for commands. A complete one also records events and holds a lease; a shard shares the work with others. */
export async function startController(
  dir: string,
  children: ChildProcess[],
  kubeconfig: string,
  { mode }: { readonly mode?: 'complete' | 'shard' } = {},
): Promise<Ask> {
  const controller = fork(
    join(import.meta.dirname, 'controller-process.ts'),
    [dir, kubeconfig, ...(mode ? [mode] : [])],
    {
      execArgv: ['--expose-gc', '--max-semi-space-size=8'],
      env: { ...process.env, PATH: `${countingGit(dir)}:${process.env['PATH']}` },
    },
  );
  children.push(controller);
  await message(controller);
  return createAsk(controller);
}

/** A `git` that records each start and then runs git. */
function countingGit(dir: string): string {
  const bin = join(dir, 'bin');
  mkdirSync(bin, { recursive: true });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(dir, 'git.log'), '');
  writeFileSync(join(bin, 'git'), `#!/bin/sh\nprintf . >> '${join(dir, 'git.log')}'\nexec '${real}' "$@"\n`);
  chmodSync(join(bin, 'git'), 0o755);
  return bin;
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (text) => resolve(text as T));
    child.once('exit', (code) => reject(new Error(`a process of the benchmark ended with ${code}`)));
  });
}

function createAsk(child: ChildProcess): Ask {
  let last = 0;
  return <T>(command: string, argument = ''): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const fail = (code: number | null): void => reject(new Error(`the controller ended with ${code}`));
      const onMessage = (text: unknown): void => {
        const answer = text as { id: number; result: T };
        if (answer.id !== id) return;
        child.off('message', onMessage);
        child.off('exit', fail);
        resolve(answer.result);
      };
      child.on('message', onMessage);
      child.once('exit', fail);
      child.send({ id, command, argument });
    });
}

export function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    const kill = setTimeout(() => child.kill('SIGKILL'), 5_000);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    child.disconnect();
  });
}
