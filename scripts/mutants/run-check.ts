import { spawn } from 'node:child_process';

/** How a test file or scenario ended. */
export type CheckResult = 'passed' | 'failed' | 'timed out';

export interface CheckOutcome {
  readonly result: CheckResult;
  /** The first test that failed. */
  readonly failedTest?: string;
}

export interface CheckOptions {
  /** The workspace in which it runs. */
  readonly folder: string;
  readonly timeoutMs: number;
}

const seedsPerScenario = 40;

const commandOf = (check: string): string[] =>
  check.startsWith('sim/')
    ? ['scripts/sim.ts', '--seeds', String(seedsPerScenario), '--scenario', check.slice('sim/'.length)]
    : ['--test', '--test-reporter=tap', check];

/** A failed test as the TAP reporter writes it, at any depth. */
const failure = /^\s*not ok \d+ - (.*)\n/m;

/** Runs a test file or scenario as a group of processes, until it ends or its first test fails. */
export function runCheck(check: string, { folder, timeoutMs }: CheckOptions): Promise<CheckOutcome> {
  // With this variable the test file would report to the runner that runs this one, and its exit code would say nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--no-warnings', ...commandOf(check)], {
    cwd: folder,
    env: { ...env, TMPDIR: folder },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    const end = (result: CheckResult, failedTest?: string): void => {
      clearTimeout(timer);
      stopGroup(child.pid);
      resolve({ result, ...(failedTest === undefined ? {} : { failedTest }) });
    };
    const timer = setTimeout(() => end('timed out'), timeoutMs);
    child.on('error', reject);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = output.slice(-1_000) + text;
      const failed = failure.exec(output);
      if (failed) end('failed', failed[1]);
    });
    child.on('close', (code) => end(code === 0 ? 'passed' : 'failed'));
  });
}

/** Ends the processes that a check started, such as databases and servers, with it. */
function stopGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
