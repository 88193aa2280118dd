import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { formatLimit, limits } from '@fairlead/kube/limits';
import { RenderError } from '../render-error.ts';
import type { Command } from './plugin-config.ts';
import { killGroup, membersOf } from './process-group.ts';

export interface CommandRun {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits?: Partial<CommandLimits>;
}

export interface CommandLimits {
  readonly timeMs: number;
  readonly outputBytes: number;
  readonly memoryBytes: number;
  readonly processes: number;
}

const checkMs = 100;
const maxStderr = 4096;
const markName = 'FAIRLEAD_PLUGIN_RUN';

/**
 * The output of a command of a plugin. It runs in a separate process group, with only the given environment, and is ended with everything that
 * it has started when it exceeds a limit. What it leaves running is ended too.
 */
export async function runCommand(
  command: Command,
  { folder, environment, limits: given }: CommandRun,
): Promise<string> {
  const max: CommandLimits = {
    timeMs: limits.pluginMs,
    outputBytes: limits.renderBytes,
    memoryBytes: limits.pluginMemoryBytes,
    processes: limits.pluginProcesses,
    ...given,
  };
  const [program = '', ...args] = command;
  const shown = `\`${command.join(' ').slice(0, 200)}\``;
  const mark = randomUUID();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...environment, [markName]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = child.pid;
  let problem: RenderError | undefined;
  const stop = (limit: string): void => {
    problem ??= new RenderError('LimitExceeded', `${shown} was ended: ${limit}`);
    if (group !== undefined) void killGroup(group, `${markName}=${mark}`);
  };
  const output: Buffer[] = [];
  let bytes = 0;
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > max.outputBytes) {
      stop(`it printed more than ${formatLimit({ value: max.outputBytes, unit: 'bytes' })}`);
      child.stdout.destroy();
    } else output.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-maxStderr);
  });
  const deadline = setTimeout(
    () => stop(`it took longer than ${formatLimit({ value: max.timeMs, unit: 'ms' })}`),
    max.timeMs,
  );
  const endWatch = group === undefined ? () => {} : watch(group, `${markName}=${mark}`, max, stop);
  try {
    const ended = await new Promise<string>((resolve, reject) => {
      child.on('error', ({ message }) => reject(new RenderError('TemplateFailed', `${shown} failed ${message}`)));
      // Not `close`: a process in the background may keep the output open.
      child.on('exit', (code, signal) =>
        resolve(code === 0 ? '' : signal ? `signal: ${signal}` : `exit status ${code}`),
      );
    });
    if (group !== undefined) await killGroup(group, `${markName}=${mark}`);
    await drained(child.stdout);
    if (problem) throw problem;
    if (ended === '') return Buffer.concat(output).toString();
    const said = errors.trim();
    throw new RenderError('TemplateFailed', `${shown} failed ${ended}${said === '' ? '' : `: ${said}`}`);
  } finally {
    clearTimeout(deadline);
    endWatch();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** What was printed before the end may still be on its way. */
const drained = (stream: NodeJS.ReadableStream & { readonly closed: boolean }): Promise<void> =>
  new Promise((resolve) => {
    if (stream.closed) return resolve();
    stream.on('close', () => resolve());
    stream.on('end', () => resolve());
  });

function watch(group: number, mark: string, max: CommandLimits, stop: (limit: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const check = async (): Promise<void> => {
    const members = await membersOf(group, mark);
    const bytes = members.reduce((sum, one) => sum + one.bytes, 0);
    if (members.length > max.processes) stop(`it started more than ${max.processes} processes`);
    if (bytes > max.memoryBytes)
      stop(`it used more than ${formatLimit({ value: max.memoryBytes, unit: 'bytes' })} of memory`);
    if (!ended) timer = setTimeout(() => void check(), checkMs);
  };
  timer = setTimeout(() => void check(), checkMs);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
