import { type ChildProcess, spawn } from 'node:child_process';

export interface KubectlRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The timeout, after which it is killed and the run fails; a minute and a half by default. */
  readonly timeoutMs?: number;
}

export interface KubectlResult {
  /** The name of the signal that killed it. */
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningKubectl {
  readonly process: ChildProcess;
  /** Resolves at the first byte of output, or at its end without any. */
  readonly speaking: Promise<void>;
  readonly result: Promise<KubectlResult>;
}

/** The environment of a kubectl with only this cluster and its caches in `home`. */
export const kubectlEnvironment = (home: string, kubeconfig: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  KUBECONFIG: kubeconfig,
  TMPDIR: home,
  TZ: 'UTC',
  LC_ALL: 'C',
});

export function startKubectl(path: string, run: KubectlRun): RunningKubectl {
  // For any file name: kubectl uses the name of its executable as field manager.
  const child = spawn(path, run.args, { argv0: 'kubectl', cwd: run.cwd, env: run.env, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  const speaking = Promise.withResolvers<void>();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      speaking.resolve();
    });
  }
  // It may exit before it has read everything.
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
