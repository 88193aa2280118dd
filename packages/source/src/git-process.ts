import { type ChildProcess, spawn } from 'node:child_process';
import { SourceError } from './source-error.ts';

/** Runs the `git` program, and never a shell. All `git` processes of Fairlead's sources come from here. */
export interface Git {
  /** What the process wrote, once it has ended well; otherwise throws, with git's own last words. */
  run(args: readonly string[], options?: { cwd?: string; signal?: AbortSignal }): Promise<string>;
  /** A process to talk with. The caller ends it. */
  open(args: readonly string[], cwd: string): ChildProcess;
  /** How many processes were started: cost that tests and benchmarks look at. */
  readonly started: number;
}

export interface GitOptions {
  /** The program; `git` from the PATH unless said otherwise. */
  readonly program?: string;
  /** What git may see of the environment: the PATH, and what reaches a proxy or a certificate store. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A process that takes longer is ended. */
  readonly timeoutMs?: number;
  /** A folder whose owner is another user is refused by git unless this is set; reading it runs nothing of it. */
  readonly configFile: string;
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

/**
 * No prompt, no hooks, no configuration of the user or the machine, no transport but the ones named. A repository's own
 * configuration is that of our mirror, which we wrote.
 */
const config: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'protocol.allow=never',
  'protocol.file.allow=always',
  'protocol.http.allow=always',
  'protocol.https.allow=always',
  'gc.auto=0',
  'maintenance.auto=false',
  'credential.helper=',
  'core.askPass=',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
];

export function createGit({ program = 'git', environment, timeoutMs = 90_000, configFile }: GitOptions): Git {
  const env: Record<string, string> = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  };
  for (const name of passedOn) if (environment[name] !== undefined) env[name] = environment[name];
  const flags = config.flatMap((entry) => ['-c', entry]);
  let started = 0;
  const start = (
    args: readonly string[],
    cwd: string | undefined,
    input: 'pipe' | 'ignore',
    signal?: AbortSignal,
  ): ChildProcess => {
    started += 1;
    return spawn(program, [...flags, ...args], {
      env,
      cwd,
      stdio: [input, 'pipe', 'pipe'],
      ...(signal ? { signal } : {}),
    });
  };
  return {
    get started() {
      return started;
    },
    open: (args, cwd) => start(args, cwd, 'pipe'),
    run: (args, { cwd, signal } = {}) =>
      new Promise((resolve, reject) => {
        const deadline = AbortSignal.timeout(timeoutMs);
        const child = start(args, cwd, 'ignore', signal ? AbortSignal.any([signal, deadline]) : deadline);
        const output: Buffer[] = [];
        const errors: Buffer[] = [];
        child.stdout!.on('data', (chunk: Buffer) => output.push(chunk));
        child.stderr!.on('data', (chunk: Buffer) => errors.push(chunk));
        child.on('error', (error) => {
          if (signal?.aborted) reject(signal.reason);
          else
            reject(deadline.aborted ? unavailable(`git gave no answer in ${timeoutMs / 1000} s`) : notStarted(error));
        });
        child.on('close', (code) => {
          if (code === 0) resolve(Buffer.concat(output).toString());
          else reject(unavailable(lastWords(Buffer.concat(errors).toString())));
        });
      }),
  };
}

const unavailable = (message: string): SourceError => new SourceError('RepositoryUnavailable', message);

function notStarted(error: Error): SourceError {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return new SourceError(
    'GitMissing',
    missing ? 'the program git was not found: install it' : `git could not be started: ${error.message}`,
  );
}

/** The line that says what is wrong: git's `fatal:` or `remote:`, and not the advice around it. */
function lastWords(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const fatal =
    lines.find((line) => /^(fatal|error|ERROR):/u.test(line)) ?? lines.at(-1) ?? 'git failed and said nothing';
  return fatal.replace(/^(fatal|error): /u, '');
}
