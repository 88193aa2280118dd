import { readFile } from 'node:fs/promises';

/** The memory of a process and of all that it has started, in bytes, without files that are mapped. 0 where the kernel does not tell. */
export async function processMemory(pid: number): Promise<number> {
  const [status, children] = await Promise.all([
    read(`/proc/${pid}/status`),
    read(`/proc/${pid}/task/${pid}/children`),
  ]);
  const own = Number(/^RssAnon:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1024;
  const others = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(processMemory));
  return others.reduce((sum, bytes) => sum + bytes, own);
}

/** A process that has ended has no files there. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
