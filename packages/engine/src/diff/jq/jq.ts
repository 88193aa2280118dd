import { elementAt, type Json } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube/limits';
import { SandboxLimitExceeded, SandboxPool } from '@fairlead/kube/sandbox';
import { Batches, longScriptMs, maxExceeded } from '../../sandbox/batches.ts';
import type { Path } from '../paths.ts';
import type { JqProtocol } from './jq-worker.ts';

/** The paths that a jq path expression selects in an object: none where it cannot be followed, as `.a[]` without `a`. */
export interface Jq {
  /** Rejects if the expression is invalid or takes too long. `lane` is the project that the expression belongs to. */
  paths(expression: string, object: Json, lane?: string): Promise<readonly Path[]>;
  /** How many sandboxes run expressions now. */
  readonly active: number;
  close(): Promise<void>;
}

export interface JqOptions {
  /** The maximum CPU time of one expression on one object: 1 s by default, as in Argo CD. */
  readonly timeMs?: number;
}

/** An expression that is invalid for any object. */
export class JqError extends Error {}

/** An expression that cannot be compiled. */
export class JqInvalid extends JqError {
  /** The error message of gojq, which Argo CD uses. */
  readonly upstream: string;

  constructor(expression: string, problem: string) {
    super(`jq path expression ${expression}: ${problem}`);
    this.upstream = upstreamWords(problem);
  }
}

/** An expression that exceeded its time or memory limit: it may never end. */
export class JqTooSlow extends JqError {}

interface Waiting {
  readonly text: string;
  readonly resolve: (paths: readonly Path[]) => void;
  readonly reject: (error: Error) => void;
}

/** jq in sandboxes, started on first use. */
export function createJq({ timeMs = limits.jqCpuMs }: JqOptions = {}): Jq {
  const sandboxes = new SandboxPool<JqProtocol>({
    entry: new URL('./jq-worker.ts', import.meta.url),
    name: 'jq',
    timeMs,
    memoryMb: limits.sandboxMemoryBytes / 1024 ** 2,
    longMs: longScriptMs,
    workers: 1,
    reserve: 2,
  });
  const batches = new Batches<Waiting>((lane, expression, batch) => void answer(lane, expression, batch));

  async function answer(lane: string, expression: string, batch: readonly Waiting[]): Promise<boolean> {
    try {
      const found = await run(sandboxes, lane, expression, batch);
      for (const [i, { resolve }] of batch.entries()) resolve(elementAt(found, i));
      return true;
    } catch (error) {
      if (batch.length > 1 && !(error instanceof JqError)) await oneByOne(lane, expression, batch);
      else for (const { reject } of batch) reject(explained(error, expression));
      return !(error instanceof SandboxLimitExceeded);
    }
  }

  /** One object that takes too long must not fail the others of its batch. */
  async function oneByOne(lane: string, expression: string, batch: readonly Waiting[]): Promise<void> {
    let exceeded = 0;
    for (const one of batch) {
      if (exceeded >= maxExceeded) one.reject(tooSlow(expression));
      else exceeded = (await answer(lane, expression, [one])) ? 0 : exceeded + 1;
    }
  }

  const explained = (error: unknown, expression: string): Error =>
    error instanceof SandboxLimitExceeded
      ? tooSlow(expression)
      : error instanceof Error
        ? error
        : new Error(String(error));

  const tooSlow = (expression: string): JqTooSlow =>
    new JqTooSlow(`jq path expression ${expression}: did not end within ${timeMs / 1000} s`);

  return {
    paths: (expression, object, lane = '') =>
      new Promise((resolve, reject) => {
        batches.add(lane, expression, { text: JSON.stringify(object), resolve, reject });
      }),
    get active() {
      return sandboxes.active;
    },
    close: () => sandboxes.close(),
  };
}

async function run(
  sandboxes: SandboxPool<JqProtocol>,
  lane: string,
  expression: string,
  batch: readonly Waiting[],
): Promise<readonly Path[][]> {
  // The newline ends a comment; a parenthesis cannot close the function early.
  const program = `def expression: ${expression}\n; try [path(expression)] catch null`;
  const input = batch.map(({ text }) => text).join('\n');
  const { stdout, stderr, exitCode } = await sandboxes.run(lane, { task: { program, input } });
  if (exitCode === 3) throw new JqInvalid(expression, syntaxError(stderr));
  const lines = stdout.trim() === '' ? [] : stdout.trim().split('\n');
  if (exitCode !== 0 || lines.length !== batch.length) {
    const said = stderr.trim() || `gave ${lines.length} answers for ${batch.length} objects`;
    throw batch.length > 1 ? new Error(said) : new JqError(`jq path expression ${expression}: ${said}`);
  }
  return lines.map((line) => {
    const parsed: unknown = JSON.parse(line);
    return Array.isArray(parsed) ? parsed.filter(Array.isArray) : [];
  });
}

/** Argo CD compiles `del(EXPRESSION)`: if the expression ends too early, the parenthesis is unexpected there, and the semicolon here. */
function upstreamWords(problem: string): string {
  const token = /unexpected '(.+?)'/u.exec(problem)?.[1];
  if (token !== undefined) return `unexpected token "${token === ';' ? ')' : token}"`;
  const undefinedName = /^(\S+) is not defined/u.exec(problem)?.[1];
  if (undefinedName === undefined) return problem;
  return `${undefinedName.startsWith('$') ? 'variable' : 'function'} not defined: ${undefinedName}`;
}

/** The error of jq, without the program around the expression. */
const syntaxError = (stderr: string): string =>
  (stderr.split('\n')[0] ?? '').replace(/^jq: error: /u, '').replace(/ at <top-level>.*$/u, '');
