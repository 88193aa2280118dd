import { readFile } from 'node:fs/promises';

/** The memory of a process and its children, in bytes, without mapped files. 0 if the kernel does not report it. */
export async function processMemory(pid: number): Promise<number> {
  const [status, children] = await Promise.all([
    read(`/proc/${pid}/status`),
    read(`/proc/${pid}/task/${pid}/children`),
  ]);
  const own = Number(/^RssAnon:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1024;
  const others = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(processMemory));
  return others.reduce((sum, bytes) => sum + bytes, own);
}

/** A process that has exited has no files there. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
