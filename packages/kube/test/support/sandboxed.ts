/** A sandbox for tests: runs the action of a task. */
import { readFileSync } from 'node:fs';
import { serveSandbox } from '../../src/sandbox/serve-sandbox.ts';

export interface TestProtocol {
  readonly task: { readonly act: keyof typeof actions; readonly parts?: readonly string[] };
  readonly result: unknown;
  readonly request: string;
  readonly reply: string;
  readonly part: string;
}

const actions = {
  nothing: () => undefined,
  environment: () => Object.keys(process.env).filter((name) => name !== 'TZ').length,
  file: () => readFileSync('/etc/passwd', 'utf8').length,
  process: async () => (await import('node:child_process')).spawnSync('true').status,
  thread: async () => new (await import('node:worker_threads')).Worker('', { eval: true }).threadId,
  pid: () => process.pid,
  priority: async () => (await import('node:os')).getPriority(),
  loop: () => {
    for (;;);
  },
  /** Some CPU time. */
  long: () => {
    for (const start = process.cpuUsage().user; process.cpuUsage().user - start < 400_000; );
  },
  memory: () => {
    const all: string[][] = [];
    for (;;) all.push(Array.from({ length: 10_000 }, (_, i) => `${i}`));
  },
  exit: () => process.exit(3),
  fail: () => {
    throw new Error('on purpose');
  },
  ask: () => undefined,
};

serveSandbox<TestProtocol>(async ({ act, parts = [] }, host) => {
  for (const part of parts) await host.sendPart(part);
  if (act === 'ask') return host.request('question');
  try {
    return await actions[act]();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code;
    throw error;
  }
});
