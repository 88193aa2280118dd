import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { textAt } from '@fairlead/apimachinery';
import { redact } from '../credentials/credentials.ts';
import { SourceError } from '../source-error.ts';
import { limiter } from '../tasks/limiter.ts';

/** What one call of `git` needs to be let in: written by `git-access.ts`. Nothing of it is an argument. */
export interface GitAccess {
  readonly environment: Readonly<Record<string, string>>;
  /** What may appear in no message. */
  readonly secrets: readonly string[];
}

export interface GitCall {
  /** The repository to work in; without it, none. */
  readonly gitDir?: string;
  readonly access?: GitAccess;
  readonly config?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
}

/** Runs the `git` program, and never a shell. All `git` processes of Fairlead's sources come from here. */
export interface Git {
  /** The standard output of the process if it exits with 0; otherwise throws a `GitFailure` with git's message. */
  run(args: readonly string[], call?: GitCall): Promise<string>;
  /** A process to talk with, without access to any server. The caller ends it. */
  open(args: readonly string[], gitDir: string): ChildProcessWithoutNullStreams;
  /** How many processes were started, for tests and benchmarks. */
  readonly started: number;
}

/** `git` ended with an error. What it said is free of secrets. */
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
  /** What git may see of the environment: the PATH, and what reaches a proxy or a certificate store. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A process that takes longer is ended, and all that it started. */
  readonly timeoutMs?: number;
  /** A folder of ours, where git finds no repository to take configuration from. */
  readonly workDir: string;
  /** Stands in for the user's configuration. */
  readonly configFile: string;
  /** Transports that git may use. */
  readonly protocols: readonly string[];
  /** How many may run at once; readers of objects do not count. */
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

/** No prompt, no hooks, nothing in the background, and no transport but the ones named. */
const baseConfig = (protocols: readonly string[]): Record<string, string> => ({
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.allow': 'never',
  ...Object.fromEntries(protocols.map((protocol) => [`protocol.${protocol}.allow`, 'always'])),
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'core.askPass': '',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '30',
  'fetch.fsckObjects': 'false',
});

const maxStderr = 64 * 1024;

export function createGit(options: GitOptions): Git {
  const { program = 'git', environment, timeoutMs = 90_000, workDir, configFile, protocols } = options;
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
  const turn = limiter(options.maxProcesses ?? 8);
  let started = 0;

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

  const runNow = (args: readonly string[], call: GitCall): Promise<string> =>
    new Promise((resolve, reject) => {
      call.signal?.throwIfAborted();
      // A separate session: there is no terminal to prompt on, and one kill reaches all processes that git starts.
      const child = start(args, call, { detached: true });
      const output: Buffer[] = [];
      let errors = '';
      let overdue = false;
      const stop = (): void => killGroup(child);
      const deadline = setTimeout(() => {
        overdue = true;
        stop();
      }, timeoutMs);
      const done = (): void => {
        clearTimeout(deadline);
        call.signal?.removeEventListener('abort', stop);
      };
      call.signal?.addEventListener('abort', stop, { once: true });
      child.stdin.on('error', () => {});
      child.stdin.end(call.input ?? '');
      child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => {
        errors = (errors + chunk.toString()).slice(-maxStderr);
      });
      child.on('error', (error) => {
        done();
        reject(notStarted(error));
      });
      child.on('close', (code) => {
        done();
        if (code === 0) resolve(Buffer.concat(output).toString());
        else if (call.signal?.aborted) reject(call.signal.reason);
        else if (overdue) reject(new GitFailure(`fatal: git gave no answer in ${timeoutMs / 1000} s`));
        else reject(new GitFailure(redact(errors, call.access?.secrets ?? [])));
      });
    });

  return {
    get started() {
      return started;
    },
    open: (args, gitDir) => start(args, { gitDir }),
    run: (args, call = {}) => turn(() => runNow(args, call)),
  };
}

/** Configuration as git takes it from the environment: it shows in no list of processes. */
function configEnvironment(config: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(config);
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  for (const [i, [key, value]] of entries.entries()) {
    environment[`GIT_CONFIG_KEY_${i}`] = key;
    environment[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  return environment;
}

/** First a chance to tidy up, then no more. */
function killGroup(child: ChildProcess): void {
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // It has ended.
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

/** The line that says what is wrong: git's `fatal:` or `remote:`, and not the advice around it. */
export function lastWords(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const fatal =
    lines.find((line) => /^(fatal|error|ERROR):/u.test(line)) ?? lines.at(-1) ?? 'git failed and said nothing';
  return fatal.replace(/^(fatal|error): /u, '');
}
