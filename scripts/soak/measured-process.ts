import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { sleep, systemClock } from '@fairlead/kube';
import { inspect } from './inspector.ts';
import type { Reading } from './measures.ts';

const mebi = 1024 * 1024;
const lagProbe = new URL('./lag-probe.ts', import.meta.url).href;
/** How much of the output is kept, for messages. */
const maxOutput = 64 * 1024;

export interface ProcessSpec {
  readonly name: string;
  /** A program and its arguments, run by this Node. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A line of the output begins with this text when the process works. */
  readonly ready: string;
  /** The port of `/metrics`, which is read with every measurement, as Prometheus does. */
  readonly metricsPort: number;
  /** A file that receives everything that the process prints, in all its lives. */
  readonly log?: string;
}

/** A process whose memory, descriptors and event loop are measured from outside. It can be restarted. */
export class MeasuredProcess {
  readonly spec: ProcessSpec;
  life = 0;
  output = '';
  #child: ChildProcess | undefined;
  #inspector = '';
  #isStopped = true;

  constructor(spec: ProcessSpec) {
    this.spec = spec;
  }

  async start(withinMs = 600_000): Promise<void> {
    // The inspector, for heap figures without garbage; on a port that nothing else uses.
    const flags = ['--no-warnings', '--inspect=127.0.0.1:0', '--import', lagProbe];
    const child = spawn(process.execPath, [...flags, ...this.spec.args], {
      env: { ...process.env, ...this.spec.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#isStopped = false;
    this.life += 1;
    this.output = '';
    this.#inspector = '';
    let isReady = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        if (this.spec.log !== undefined) appendFileSync(this.spec.log, chunk);
        this.output = (this.output + chunk.toString()).slice(-maxOutput);
        this.#inspector ||= /^Debugger listening on (ws:\S+)/mu.exec(this.output)?.[1] ?? '';
        isReady ||= this.output.split('\n').some((line) => line.startsWith(this.spec.ready));
      });
    }
    for (const end = Date.now() + withinMs; !isReady; await sleep(systemClock, 50)) {
      if (this.#child !== child || !this.isRunning) throw new Error(`${this.spec.name} ended: ${this.output}`);
      if (Date.now() > end) throw new Error(`${this.spec.name} is not ready after ${withinMs} ms: ${this.output}`);
    }
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether it ended by itself, as a controller does that can no longer renew its lease. The harness starts it again. */
  get hasExited(): boolean {
    return !this.#isStopped && !this.isRunning;
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Undefined while it does not run. */
  async read(): Promise<Reading | undefined> {
    const pid = this.#child?.pid;
    if (pid === undefined || !this.isRunning || this.#inspector === '') return undefined;
    try {
      await scrape(this.spec.metricsPort);
      const { lag, heap } = await inspect(this.#inspector);
      const children = descendants(pid);
      return {
        heap: heap / mebi,
        rss: residentBytes(pid) / mebi,
        childRss: Math.max(0, ...children.map(residentBytes)) / mebi,
        descriptors: readdirSync(`/proc/${pid}/fd`).length,
        lag,
        children: children.length,
      };
    } catch (error) {
      // It ended in between, or it does not serve its metrics yet.
      if (!this.isRunning || this.#child?.pid !== pid || isUnreachable(error)) return undefined;
      throw error;
    }
  }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

async function scrape(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(30_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`/metrics of port ${port}: ${answer.status} ${text}`);
}

/** A file that no longer exists counts as empty. */
function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;

function descendants(pid: number): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const children = threads.flatMap((thread) =>
    readProc(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [...children, ...children.flatMap(descendants)];
}
