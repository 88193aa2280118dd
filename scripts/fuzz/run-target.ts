import { Worker } from 'node:worker_threads';
import { Progress } from './progress.ts';
import type { Finding, ThreadData } from './thread.ts';

export type { Finding } from './thread.ts';

export interface FuzzOptions {
  readonly seed?: number;
  readonly seconds?: number;
  readonly maxInputs?: number;
  /** Inputs to check instead of generated ones. */
  readonly replay?: readonly unknown[];
  /** The longest time for one input. */
  readonly limitMs?: number;
}

export interface FuzzResult {
  readonly inputs: number;
  readonly findings: readonly Finding[];
}

/** After this many different findings, or ends of the thread, a target is left: one fault has many inputs. */
const maxFindings = 5;

/**
 * Checks inputs of a target in a thread. An input that does not end, ends the thread, or takes too much memory is a finding like any other;
 * the next thread goes on with other inputs.
 */
export async function runTarget(target: URL, options: FuzzOptions = {}): Promise<FuzzResult> {
  const { seconds = Number.POSITIVE_INFINITY, maxInputs = Number.POSITIVE_INFINITY } = options;
  const ends = performance.now() + seconds * 1000;
  const findings = new Map<string, Finding>();
  let { seed = 1, replay } = options;
  let inputs = 0;
  let crashes = 0;
  while (findings.size < maxFindings && crashes < maxFindings && performance.now() < ends && inputs < maxInputs) {
    const progress = new Progress();
    const crash = await runThread(
      {
        target: target.href,
        seed,
        maxMs: ends - performance.now(),
        maxInputs: maxInputs - inputs,
        buffer: progress.buffer,
        ...(replay ? { replay } : {}),
      },
      { progress, limitMs: options.limitMs ?? 10_000, found: (finding) => findings.set(titleOf(finding), finding) },
    );
    inputs += progress.count;
    if (crash === undefined) break;
    crashes += 1;
    const input = progress.current();
    findings.set(titleOf({ input, problem: crash }), { input, problem: crash });
    seed += 1_000_003;
    replay = replay?.slice(progress.count);
  }
  return { inputs, findings: [...findings.values()] };
}

/** Findings of one fault have one title: the first line without numbers and quoted texts. */
const titleOf = ({ problem }: Finding): string =>
  (problem.split('\n')[0] ?? '').replaceAll(/\d+|"[^"]*"|'[^']*'/gu, '…').slice(0, 80);

interface ThreadWatch {
  readonly progress: Progress;
  readonly limitMs: number;
  readonly found: (finding: Finding) => void;
}

/** Undefined if the thread ended by itself, or else why it did not. */
function runThread(data: ThreadData, { progress, limitMs, found }: ThreadWatch): Promise<string | undefined> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      stdout: true,
      stderr: true,
    });
    let last = { count: 0, at: performance.now() };
    const watch = setInterval(() => {
      const { count } = progress;
      if (count !== last.count) last = { count, at: performance.now() };
      else if (count > 0 && performance.now() - last.at > limitMs) end(`no end within ${limitMs / 1000} s`);
    }, 100);
    const end = (reason: string | undefined): void => {
      clearInterval(watch);
      void thread.terminate();
      resolve(reason);
    };
    thread.on('message', found);
    thread.on('error', (error) =>
      end(error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error)),
    );
    thread.on('exit', (code) => end(code === 0 ? undefined : `the thread ended with ${code}`));
  });
}
