import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processes of one system under test, with their logs in a folder. */
export class Processes {
  readonly #dir: string;
  readonly #started: { readonly name: string; readonly child: ChildProcess }[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  start(name: string, program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(this.#dir, `${name}.log`));
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    this.#started.push({ name, child });
  }

  /** Fails if one has ended: the rest of the measurement would wait forever. */
  check(): void {
    for (const { name, child } of this.#started) {
      if (child.exitCode === null) continue;
      const log = readFileSync(join(this.#dir, `${name}.log`), 'utf8');
      throw new Error(`${name} ended with ${child.exitCode}: ${log.slice(-2_000)}`);
    }
  }

  /** Processor time of all of them and their children, and their peak memory. */
  usage(): { readonly cpuSeconds: number; readonly peakBytes: number } {
    const children = childrenByParent();
    let [cpuSeconds, peakBytes] = [0, 0];
    const visit = (pid: number): void => {
      const { cpu, peak } = usageOf(pid);
      cpuSeconds += cpu;
      peakBytes += peak;
      for (const child of children.get(pid) ?? []) visit(child);
    };
    for (const { child } of this.#started) if (child.pid !== undefined) visit(child.pid);
    return { cpuSeconds, peakBytes };
  }

  async stop(): Promise<void> {
    for (const { child } of this.#started.toReversed()) {
      if (child.exitCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(kill);
    }
  }
}

const ticksPerSecond = 100;

/** The fields of /proc/PID/stat after the name, which may contain spaces. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/u.test(name)) continue;
    const parent = Number(statOf(Number(name))[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

/** Time of ended children is included: git runs as a child. */
function usageOf(pid: number): { readonly cpu: number; readonly peak: number } {
  const stat = statOf(pid);
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(stat[at] ?? 0), 0);
  return { cpu: ticks / ticksPerSecond, peak: peakOf(pid) };
}

function peakOf(pid: number): number {
  try {
    return 1024 * Number(/^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
