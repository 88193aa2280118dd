import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { command, runFairlead, temporaryFolder } from '../test/support/fairlead-process.ts';

const folder = temporaryFolder();
after(() => folder.remove());

/** One line on standard error, nothing else, and exit code 1. */
async function failsWith(
  args: readonly string[],
  sentence: RegExp,
  env: Record<string, string | undefined> = {},
): Promise<void> {
  const { code, output } = await runFairlead(args, env);
  assert.equal(code, 1, output);
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('✔'));
  assert.equal(lines.length, 1, output);
  assert.match(lines[0]!, sentence);
}

test('a port that is in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dir = join(folder.path, 'port');
  await failsWith(
    ['up', '--data-dir', dir, '--port', String(port)],
    new RegExp(`^fairlead: port ${port} on 127\\.0\\.0\\.1 is in use: .*--port`),
  );
  server.close();
  assert.equal(existsSync(join(dir, 'kubeconfig')), false);
});

test('a data folder that is not writable', async () => {
  writeFileSync(join(folder.path, 'file'), '');
  await failsWith(
    ['up', '--data-dir', join(folder.path, 'file', 'data')],
    /^fairlead: data folder .* is not writable \(ENOTDIR\): choose another with --data-dir$/,
  );
});

test('a directory of another user', {
  skip: process.getuid?.() === 0 ? 'root may write everywhere' : false,
}, async () => {
  const closed = join(folder.path, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  await failsWith(['up', '--data-dir', join(closed, 'data')], /is not writable \(EACCES\)/);
});

test('no git', async () => {
  const dir = join(folder.path, 'no-git');
  await failsWith(['up', '--data-dir', dir], /^fairlead: git not found: install it/, {
    PATH: '/nonexistent',
  });
  assert.equal(existsSync(dir), false, 'nothing was created');
});

test('a kubeconfig that does not exist', async () => {
  await failsWith(
    ['up', '--data-dir', join(folder.path, 'kube'), '--kubeconfig', '/nonexistent'],
    /^fairlead: kubeconfig \/nonexistent cannot be used: /,
  );
});

const wrong: [args: string[], sentence: RegExp][] = [
  [['up', '--port', 'eighty'], /^fairlead: invalid port eighty/],
  [['up', '--port', '70000'], /^fairlead: invalid port 70000/],
  [['up', '--nonsense'], /^fairlead: unknown option '--nonsense': see fairlead help$/],
  [['fly'], /^fairlead: unknown command fly: see fairlead help$/],
  [['constructor'], /^fairlead: unknown command constructor/],
];
for (const [args, sentence] of wrong) test(`fairlead ${args.join(' ')}`, () => failsWith(args, sentence));

test('help and version', async () => {
  assert.match((await runFairlead([])).output, /fairlead up /);
  assert.match((await runFairlead(['help', 'up'])).output, /--data-dir DIR/);
  assert.match((await runFairlead(['up', '--help'])).output, /--data-dir DIR/);
  assert.match((await runFairlead(['--version'])).output, /^fairlead \d+\.\d+\.\d+ \(node /);
});

test('an old Node starts the Node of the project, or prints the remedy', () => {
  // Only the start script, run by this Node with an old version number.
  const place = join(folder.path, 'project', 'packages', 'cli');
  mkdirSync(join(place, 'bin'), { recursive: true });
  mkdirSync(join(place, 'src'));
  cpSync(command, join(place, 'bin', 'fairlead.js'));
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  writeFileSync(join(place, 'src', 'main.ts'), "console.log('ran ' + (process.argv.slice(2) as string[]));");
  const old = join(folder.path, 'old.mjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.0' });");
  const start = () =>
    spawnSync(process.execPath, ['--import', old, join(place, 'bin', 'fairlead.js'), 'up', 'x'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
  const alone = start();
  assert.equal(alone.status, 1);
  assert.match(alone.stderr, /^fairlead needs Node 22\.19 or later and this is 18\.20\.0: run npm ci/);
  const bin = join(folder.path, 'project', 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  const helped = start();
  assert.equal(helped.status, 0, helped.stderr);
  assert.equal(helped.stdout, 'ran up,x\n');
});
