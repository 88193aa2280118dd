import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ManyRefsServer {
  readonly url: string;
  /** The output of the server. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** Starts a Git server with very many branches, all at the same commit. */
export async function startManyRefs(count: number, mode: 'prefixes' | 'everything' | 'old'): Promise<ManyRefsServer> {
  const program = join(import.meta.dirname, 'many-refs-server.ts');
  const child = spawn(process.execPath, [program, String(count), mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  await once(output, 'line');
  return {
    url: `http://127.0.0.1:${lines[0]?.split(' ')[1]}/many`,
    lines,
    async close() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
}
