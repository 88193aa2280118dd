import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const program = `
import { aborted } from '${new URL('../abort.ts', import.meta.url).pathname}';
import { Manager } from '${new URL('../controller/manager.ts', import.meta.url).pathname}';
import { stopSignal } from '${new URL('./stop-signal.ts', import.meta.url).pathname}';
const work = async (signal) => {
  const alive = setInterval(() => {}, 1000);
  console.log('working');
  await aborted(signal);
  if (process.argv[1] === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
  if (process.argv[1] === 'hangs') await new Promise(() => {});
  console.log('stopped by ' + signal.reason.message);
  clearInterval(alive);
};
await new Manager().add({ name: 'work', run: work }).run(stopSignal({ togetherMs: process.argv[1] === 'hangs' ? 10 : 60_000 }));
console.log('all stopped');
`;

async function stopped(signals: NodeJS.Signals[], mode = ''): Promise<{ code: number | null; text: string }> {
  const args = ['--no-warnings', '--input-type=module', '-e', program, mode];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  await once(child.stdout, 'data');
  for (const signal of signals) {
    child.kill(signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  return { code, text };
}

test('SIGTERM stops a manager in order, and the process exits with 0', async () => {
  const { code, text } = await stopped(['SIGTERM']);
  assert.equal(text, 'working\nstopped by received SIGTERM\nall stopped\n');
  assert.equal(code, 0);
});

test('a second signal ends a process that does not stop', async () => {
  const { code, text } = await stopped(['SIGINT', 'SIGINT'], 'hangs');
  assert.equal(text, 'working\n');
  assert.equal(code, 130);
});

test('two signals at the same moment count as one', async () => {
  const { code, text } = await stopped(['SIGINT', 'SIGINT'], 'slow');
  assert.equal(text, 'working\nstopped by received SIGINT\nall stopped\n');
  assert.equal(code, 0);
});
