import { readFileSync } from 'node:fs';
import type { Figure } from '../bench.ts';

/** Runs child processes, and returns how long they and their children have used a processor: unlike elapsed time, this hardly depends on the load of the machine. */
export function withProcessorTime(run: () => Figure[]): Figure[] {
  const before = childrenSeconds();
  const figures = run();
  const used = childrenSeconds() - before;
  return Number.isNaN(used)
    ? figures
    : [...figures, { name: 'processor time of the whole benchmark', value: used, unit: 's' }];
}

/** Linux counts in units of 10 ms, for all children that have ended; NaN on other systems. */
function childrenSeconds(): number {
  try {
    // The second field is the name of the program in parentheses, and may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [user, system] = [Number(fields[13]), Number(fields[14])];
    return (user + system) / 100;
  } catch {
    return Number.NaN;
  }
}
