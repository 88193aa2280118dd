import { elementAt, type Json } from '@fairlead/apimachinery';
import type { Path } from '../paths.ts';
import { JqThread, JqTimeout } from './jq-thread.ts';

/** What a jq path expression names in an object: nothing where it cannot be followed, as `.a[]` where there is no `a`. */
export interface Jq {
  /** Rejects when the expression is invalid or takes too long. */
  paths(expression: string, object: Json): Promise<readonly Path[]>;
  close(): Promise<void>;
}

export interface JqOptions {
  /** How long one expression may take on one object: 1 s when not given, as in Argo CD. */
  readonly timeMs?: number;
}

/** An expression that cannot be used, whatever the object. */
export class JqError extends Error {}

/** One that took too long: it may never end, or the machine was busy. */
export class JqTooSlow extends JqError {}

interface Waiting {
  readonly text: string;
  readonly resolve: (paths: readonly Path[]) => void;
  readonly reject: (error: Error) => void;
}

/** One start of jq costs as much as forty objects: what is asked in one turn is answered in one run. */
const largestBatch = 200;

/** jq in a separate thread, started when it is first needed. */
export function createJq({ timeMs = 1_000 }: JqOptions = {}): Jq {
  const thread = new JqThread(timeMs);
  const waiting = new Map<string, Waiting[]>();
  let scheduled = false;

  const flush = (): void => {
    scheduled = false;
    const batches = [...waiting];
    waiting.clear();
    for (const [expression, all] of batches) {
      for (let i = 0; i < all.length; i += largestBatch) void answer(expression, all.slice(i, i + largestBatch));
    }
  };

  async function answer(expression: string, batch: readonly Waiting[]): Promise<void> {
    try {
      const found = await run(thread, expression, batch);
      for (const [i, { resolve }] of batch.entries()) resolve(elementAt(found, i));
    } catch (error) {
      const alone = batch.length === 1 || error instanceof JqError;
      for (const one of batch) {
        if (!alone) void answer(expression, [one]);
        else if (error instanceof JqTimeout)
          one.reject(new JqTooSlow(`jq path expression ${expression}: did not end within ${timeMs / 1000} s`));
        else one.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  return {
    paths: (expression, object) =>
      new Promise((resolve, reject) => {
        const batch = waiting.get(expression) ?? [];
        waiting.set(expression, batch);
        batch.push({ text: JSON.stringify(object), resolve, reject });
        if (!scheduled) setImmediate(flush);
        scheduled = true;
      }),
    close: () => thread.close(),
  };
}

async function run(thread: JqThread, expression: string, batch: readonly Waiting[]): Promise<readonly Path[][]> {
  // The newline ends a comment; a function cannot be left by a parenthesis.
  const program = `def expression: ${expression}\n; try [path(expression)] catch null`;
  const { stdout, stderr, exitCode } = await thread.run(program, batch.map(({ text }) => text).join('\n'));
  if (exitCode === 3) throw new JqError(`jq path expression ${expression}: ${syntaxError(stderr)}`);
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

/** What jq says, without the program around the expression. */
const syntaxError = (stderr: string): string =>
  (stderr.split('\n')[0] ?? '').replace(/^jq: error: /u, '').replace(/ at <top-level>.*$/u, '');
