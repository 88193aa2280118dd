import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

test('all output is written before the exit, also with a late reader', async () => {
  const module = new URL('./command-line.ts', import.meta.url).href;
  const program = `
    import { exitAfterOutput } from ${JSON.stringify(module)};
    setInterval(() => {}, 1000);
    for (let line = 0; line < 50_000; line += 1) console.log('line', line);
    console.log('the last line');
    exitAfterOutput(3);`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  setTimeout(() => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }, 500);
  const [code] = await once(child, 'close');
  assert.equal(code, 3);
  assert.equal(output.split('\n').length, 50_002);
  assert.match(output, /the last line\n$/);
});
