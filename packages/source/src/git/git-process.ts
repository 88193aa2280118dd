import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { textAt } from '@fairlead/apimachinery';
import { formatLimit, limits, limitTable } from '@fairlead/kube';
import { redact } from '../credentials/credentials.ts';
import { SourceError } from '../source-error.ts';
import { type FetchLane, FetchLanes } from '../tasks/fetch-lanes.ts';
import { processMemory } from './process-memory.ts';

/** The access settings of one `git` call: written by `git-access.ts`. None of them is an argument. */
export interface GitAccess {
  readonly environment: Readonly<Record<string, string>>;
  /** Secrets that must not appear in a message. */
  readonly secrets: readonly string[];
}

export interface GitCall {
  /** The repository to use; none if absent. */
  readonly gitDir?: string;
  readonly access?: GitAccess;
  readonly config?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** The lanes of the call: its host and its project. */
  readonly lanes?: readonly FetchLane[];
  /** Kills the process earlier than `GitOptions.timeoutMs`. */
  readonly timeoutMs?: number;
  /** The memory limit of the process and its children; `limits.gitMemoryBytes` by default. */
  readonly memoryBytes?: number;
}

/** Reads the output to its end, and writes and ends the input. The process is killed if it throws. */
export type ConsumeOutput<T> = (output: AsyncIterable<Buffer>, input: Writable) => Promise<T>;

/** Runs the `git` program, and never a shell. All `git` processes of Fairlead's sources come from here. */
export interface Git {
  /**
   * The standard output of the process if it exits with 0, up to `limits.gitOutputBytes`; otherwise throws a `GitFailure` with the message
   * of git.
   */
  run(args: readonly string[], call?: GitCall): Promise<string>;
  /** As `run`, for output of any size that is not kept. */
  stream<T>(args: readonly string[], call: GitCall, consume: ConsumeOutput<T>): Promise<T>;
  /** An interactive process, without access to any server. The caller ends it. */
  open(args: readonly string[], gitDir: string): ChildProcessWithoutNullStreams;
  /** How many processes were started, for tests and benchmarks. */
  readonly started: number;
  /** Kills the processes of `run`: a server that never responds must not delay the exit of this process. */
  close(): void;
}

/** `git` failed. Its message contains no secrets. */
export class GitFailure extends Error {
  readonly stderr: string;

  constructor(stderr: string) {
    super(lastWords(stderr));
    this.name = 'GitFailure';
    this.stderr = stderr;
  }
}

export interface GitOptions {
  /** The program; `git` from the PATH by default. */
  readonly program?: string;
  /** The environment variables for git: the PATH, and those for proxies or certificate stores. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A process that takes longer is killed with all its children. */
  readonly timeoutMs?: number;
  /** A directory of ours, where git finds no repository with configuration. */
  readonly workDir: string;
  /** Replaces the user's configuration. */
  readonly configFile: string;
  /** Transports that git may use. */
  readonly protocols: readonly string[];
  /** The maximum number of concurrent processes; object readers do not count. */
  readonly maxProcesses?: number;
}

const passedOn = [
  'PATH',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'LD_LIBRARY_PATH',
];

/** No prompt, no hooks, no background processes, and only the given transports. */
const baseConfig = (protocols: readonly string[]): Record<string, string> => ({
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.allow': 'never',
  ...Object.fromEntries(protocols.map((protocol) => [`protocol.${protocol}.allow`, 'always'])),
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'core.askPass': '',
  // The target of a redirect is checked before git connects to it.
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '30',
  'fetch.fsckObjects': 'false',
});

const maxStderr = 64 * 1024;
const memoryCheckMs = 250;

export function createGit(options: GitOptions): Git {
  const { program = 'git', environment, timeoutMs = limits.gitMs, workDir, configFile, protocols } = options;
  const base: Record<string, string> = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_CEILING_DIRECTORIES: dirname(workDir),
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  };
  for (const name of passedOn) if (environment[name] !== undefined) base[name] = environment[name];
  const standing = baseConfig(protocols);
  const fetches = new FetchLanes(options.maxProcesses ?? limits.gitProcesses);
  const running = new Set<ChildProcess>();
  let started = 0;
  let closed = false;

  const start = (
    args: readonly string[],
    { gitDir, access, config }: GitCall,
    { detached = false } = {},
  ): ChildProcessWithoutNullStreams => {
    started += 1;
    const env = {
      ...base,
      ...access?.environment,
      ...configEnvironment({ ...standing, ...config }),
      ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
    };
    return spawn(program, args, { env, cwd: workDir, detached, stdio: 'pipe' });
  };

  const streamNow = async <T>(args: readonly string[], call: GitCall, consume: ConsumeOutput<T>): Promise<T> => {
    call.signal?.throwIfAborted();
    if (closed) throw new SourceError('RepositoryUnavailable', 'the process is about to end');
    // A separate session: there is no terminal to prompt on, and one kill reaches all processes that git starts.
    const child = start(args, call, { detached: true });
    running.add(child);
    let errors = '';
    let problem: Error | undefined;
    const stop = (reason: Error): void => {
      problem ??= reason;
      killGroup(child);
    };
    const limitMs = Math.min(timeoutMs, call.timeoutMs ?? timeoutMs);
    const deadline = setTimeout(
      () => stop(new GitFailure(`fatal: git did not respond within ${limitMs / 1000} s`)),
      limitMs,
    );
    const endMemoryWatch = watchMemory(child, call.memoryBytes ?? limits.gitMemoryBytes, stop);
    const abort = (): void => killGroup(child);
    call.signal?.addEventListener('abort', abort, { once: true });
    child.stdin.on('error', () => {});
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-maxStderr);
    });
    const closing = new Promise<number | null>((resolve, reject) => {
      child.on('error', (error) => reject(notStarted(error)));
      child.on('close', resolve);
    });
    // The error of git takes precedence over the reader's error on truncated output.
    const consumed = consume(child.stdout, child.stdin).then(
      (value) => ({ value }),
      (error: unknown) => {
        if (error instanceof SourceError) stop(error);
        else killGroup(child);
        return { error };
      },
    );
    try {
      const code = await closing;
      const outcome = await consumed;
      call.signal?.throwIfAborted();
      if (problem) throw problem;
      if (code !== 0 && errors !== '') throw new GitFailure(redact(errors, call.access?.secrets ?? []));
      if ('error' in outcome) throw outcome.error;
      if (code !== 0) throw new GitFailure('');
      return outcome.value;
    } finally {
      clearTimeout(deadline);
      endMemoryWatch();
      running.delete(child);
      call.signal?.removeEventListener('abort', abort);
    }
  };

  return {
    get started() {
      return started;
    },
    open: (args, gitDir) => start(args, { gitDir }),
    close() {
      closed = true;
      for (const child of running) killGroup(child);
    },
    run: (args, call = {}) =>
      fetches.run(call.lanes ?? [], () =>
        streamNow(args, call, (output, input) => {
          input.end(call.input ?? '');
          return collect(output);
        }),
      ),
    stream: (args, call, consume) => fetches.run(call.lanes ?? [], () => streamNow(args, call, consume)),
  };
}

async function collect(output: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of output) {
    bytes += chunk.length;
    if (bytes > limits.gitOutputBytes)
      throw new SourceError(
        'TooLarge',
        `git printed more than ${formatLimit(limitTable.gitOutputBytes)} (limit gitOutputBytes)`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Kills a process that uses too much memory: git keeps all refs that a server sends. Returns a function that stops the check. */
function watchMemory({ pid }: ChildProcess, maxBytes: number, stop: (reason: Error) => void): () => void {
  let ended = false;
  const check = async (): Promise<void> => {
    if (pid !== undefined && (await processMemory(pid)) > maxBytes) {
      const amount = formatLimit({ value: maxBytes, unit: 'bytes' });
      return stop(
        new SourceError(
          'TooLarge',
          `git took more than ${amount} of memory for what the server sent (limit ${maxBytes === limits.gitRefsMemoryBytes ? 'gitRefsMemoryBytes' : 'gitMemoryBytes'})`,
        ),
      );
    }
    if (!ended) timer = setTimeout(() => void check(), memoryCheckMs);
  };
  let timer = setTimeout(() => void check(), memoryCheckMs);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/** Git configuration in environment variables: not visible in process lists. */
function configEnvironment(config: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(config);
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  for (const [i, [key, value]] of entries.entries()) {
    environment[`GIT_CONFIG_KEY_${i}`] = key;
    environment[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  return environment;
}

/** First SIGTERM for a cleanup, then SIGKILL. */
function killGroup(child: ChildProcess): void {
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // It has exited.
    }
  };
  kill('SIGTERM');
  const last = setTimeout(() => kill('SIGKILL'), 2_000);
  child.once('close', () => clearTimeout(last));
}

function notStarted(error: Error): SourceError {
  const missing = textAt(error, 'code') === 'ENOENT';
  return new SourceError(
    'GitMissing',
    missing ? 'the program git was not found: install it' : `git could not be started: ${error.message}`,
  );
}

/** The line with the error: `fatal:` or `remote:`, without the advice around it. */
export function lastWords(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const fatal =
    lines.find((line) => /^(fatal|error|ERROR):/u.test(line)) ?? lines.at(-1) ?? 'git failed without a message';
  return fatal.replace(/^(fatal|error): /u, '');
}
