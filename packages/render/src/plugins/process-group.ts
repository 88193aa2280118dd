import { readdir, readFile } from 'node:fs/promises';

export interface GroupMember {
  readonly pid: number;
  readonly bytes: number;
}

/**
 * The processes that a run has started: those in its process group, and those that have left it but have the mark of the run in their
 * environment. Empty where there is no `/proc`.
 */
export async function membersOf(group: number, mark: string): Promise<GroupMember[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^\d+$/u.test(name)).map((name) => memberAt(Number(name), group, mark)),
  );
  return found.filter((one) => one !== undefined);
}

const pageBytes = 4096;

async function memberAt(pid: number, group: number, mark: string): Promise<GroupMember | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain anything; after it come the state, the parent and the process group.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isMember = Number(fields[2]) === group || (await readFile(`/proc/${pid}/environ`, 'latin1')).includes(mark);
    return isMember && fields[0] !== 'Z' ? { pid, bytes: Number(fields[21]) * pageBytes } : undefined;
  } catch {
    // It has ended, or belongs to another user.
    return undefined;
  }
}

/** Kills a run with everything that it has started, also processes that have left its group. */
export async function killGroup(group: number, mark: string): Promise<void> {
  // Processes that fork while they are counted are found by the next round.
  for (let round = 0; round < 50; round++) {
    signal(-group);
    const left = await membersOf(group, mark);
    if (left.length === 0) return;
    for (const { pid } of left) signal(pid);
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
