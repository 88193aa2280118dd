import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Application, applicationKind } from '@fairlead/api';
import { isNotFound, type ResourceType } from '@fairlead/apimachinery';
import { HttpClient, loadKubeconfig, sleep, systemClock, youngGenerationFlag } from '@fairlead/kube';

export const command = fileURLToPath(new URL('../../bin/fairlead.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A `fairlead` process under test, started as the container image starts it. */
export class Fairlead {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  output = '';

  constructor(
    args: readonly string[],
    env: Record<string, string | undefined> = {},
    [program = process.execPath, ...before]: readonly string[] = [process.execPath, youngGenerationFlag, command],
  ) {
    this.process = spawn(program, [...before, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout!, this.process.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    this.ended = new Promise((resolve) => this.process.on('close', (code) => resolve({ code, output: this.output })));
  }

  /** Waits for the line that begins with the word. */
  async line(word: string, withinMs = 60_000): Promise<string> {
    const found = (): string | undefined => this.output.split('\n').find((line) => line.startsWith(word));
    await until(
      () => found() !== undefined || this.process.exitCode !== null,
      withinMs,
      () => `no line ${word}: ${this.output}`,
    );
    const line = found();
    if (line === undefined) throw new Error(`it exited with ${this.process.exitCode}: ${this.output}`);
    return line;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.process.kill(signal);
    return this.ended;
  }
}

export const runFairlead = (args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> =>
  new Fairlead(args, env).ended;

/** Runs a command without a terminal, and returns standard output and standard error. */
export const runCommand = (
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string | undefined> } = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [command, ...args],
      { ...options, env: { ...process.env, ...options.env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'fairlead-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export async function until(
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
  why: () => string | Promise<string>,
): Promise<number> {
  const began = Date.now();
  while (!(await holds())) {
    // Other tests may slow the machine down; without them the limit is not reached.
    if (Date.now() - began > 4 * withinMs) throw new Error(`not within ${withinMs} ms: ${await why()}`);
    await sleep(systemClock, 50);
  }
  return Date.now() - began;
}

/** A client of a running instance, from its kubeconfig. */
export async function connect(kubeconfig: string) {
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  const find = async <T extends object>(type: ResourceType, namespace: string, name: string): Promise<T | undefined> =>
    client.get(type, { namespace, name }).then(
      (object) => object as unknown as T,
      (error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      },
    );
  return {
    client,
    find,
    application: (name = 'web') => find<Application>(applicationKind.type, 'argocd', name),
    close: () => client.close(),
  };
}

export const run = async (
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string | undefined> } = {},
): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, [...args], {
    ...options,
    env: { ...process.env, ...options.env },
  });
  return stdout.trim();
};

export const hasKubectl = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
);
