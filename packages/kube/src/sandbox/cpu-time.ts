import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The unit of `/proc/PID/stat`, the same on every architecture that Node supports. */
const tickMs = 10;

/**
 * The CPU time in ms that another process has used, also while it is in a loop. Undefined if it has ended, or the system does not report
 * it.
 */
export async function cpuTimeMs(pid: number): Promise<number | undefined> {
  try {
    return process.platform === 'linux'
      ? parseProcStat(await readFile(`/proc/${pid}/stat`, 'latin1'))
      : parsePsTime((await run('ps', ['-o', 'time=', '-p', String(pid)])).stdout);
  } catch {
    return undefined;
  }
}

/** User and system time are the fields 14 and 15. The second is the program's name in parentheses, which may contain spaces. */
export function parseProcStat(stat: string): number | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? undefined : ticks * tickMs;
}

/** `[[days-]hours:]minutes:seconds[.hundredths]`, as `ps` prints it. */
export function parsePsTime(text: string): number | undefined {
  const [, days = '0', hours = '0', minutes, seconds] =
    /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:\.\d+)?)\s*$/u.exec(text) ?? [];
  if (minutes === undefined || seconds === undefined) return undefined;
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
