import { type ChildProcess, spawn } from 'node:child_process';

export interface KubectlRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** After this it is ended, and the run fails; a minute and a half unless given. */
  readonly timeoutMs?: number;
}

export interface KubectlResult {
  /** The signal's name when it was ended by one. */
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningKubectl {
  readonly process: ChildProcess;
  /** Done when the first byte came out, or when it ended without one. */
  readonly speaking: Promise<void>;
  readonly result: Promise<KubectlResult>;
}

/** The environment of a kubectl that knows only this cluster and keeps its caches in `home`. */
export const kubectlEnvironment = (home: string, kubeconfig: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  KUBECONFIG: kubeconfig,
  TMPDIR: home,
  TZ: 'UTC',
  LC_ALL: 'C',
});

export function startKubectl(path: string, run: KubectlRun): RunningKubectl {
  // Whatever the file is called: kubectl books its writes under the name it was started by.
  const child = spawn(path, run.args, { argv0: 'kubectl', cwd: run.cwd, env: run.env, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  const speaking = Promise.withResolvers<void>();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      speaking.resolve();
    });
  }
  // It may end before it has read all of it.
  child.stdin.on('error', () => {}).end(run.stdin ?? '');
  const deadline = setTimeout(() => child.kill('SIGKILL'), run.timeoutMs ?? 90_000);
  const result = new Promise<KubectlResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ exit: code ?? signal ?? -1, ...output }));
  }).finally(() => {
    clearTimeout(deadline);
    speaking.resolve();
  });
  return { process: child, speaking: speaking.promise, result };
}

export const runKubectl = (path: string, run: KubectlRun): Promise<KubectlResult> => startKubectl(path, run).result;
