/** Watch, shell completion, and a real terminal. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type Application, applicationKind } from '@fairlead/api';
import { command, run, until } from '../../test/support/fairlead-process.ts';
import { api, folder, kubeconfig, ok } from './shop.ts';

test('a watch prints each change as one JSON object per line, and ends on Ctrl-C', async () => {
  const watching = spawn(process.execPath, [command, 'get', 'apps', '-w', '-o', 'json'], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
  });
  let text = '';
  watching.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => watching.on('close', resolve));
  await until(
    () => text.includes('"name":"web"'),
    20_000,
    () => text,
  );
  await api.client.patch(applicationKind.type, { namespace: 'argocd', name: 'web' }, 'merge', {
    metadata: { labels: { seen: 'yes' } },
  });
  await until(
    () => text.includes('"seen":"yes"'),
    20_000,
    () => text,
  );
  watching.kill('SIGINT');
  assert.equal(await ended, 130);
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; object: Application });
  assert.ok(events.some(({ type, object }) => type === 'ADDED' && object.metadata.name === 'web'));
  assert.ok(events.some(({ type, object }) => type === 'MODIFIED' && object.metadata.labels?.['seen'] === 'yes'));
});

test('completes names from the cluster, commands and flags from the table', async () => {
  const complete = async (...words: string[]): Promise<string[]> =>
    (await ok('__complete', ...words))
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]!);
  assert.deepEqual(await complete('app', 'term'), ['terminate']);
  assert.deepEqual(await complete('app', 'sync', 'w'), ['web']);
  assert.deepEqual(await complete('app', 'sync', '--str'), ['--strategy']);
  assert.deepEqual(await complete('app', 'sync', '--strategy', ''), ['hook', 'apply']);
  assert.deepEqual(await complete('get', 'apps', '-o', 'j'), ['json', 'jsonpath=']);
  assert.deepEqual(await complete('app', 'create', '--project', 'd'), ['default']);
  assert.deepEqual(await complete('render', ''), [':folder']);
});

/** The completions of each shell for `fairlead app sy`; zsh needs a terminal for its display, so the display is a fake. */
const shells: Readonly<Record<string, string>> = {
  bash: `source <(fairlead completion bash); COMP_WORDS=(fairlead app sy); COMP_CWORD=2; _fairlead; echo "\${COMPREPLY[@]}"`,
  zsh: `compdef() {}; _describe() { print -- \${found%%:*} }; source <(fairlead completion zsh); words=(fairlead app sy); CURRENT=3; _fairlead`,
  fish: 'fairlead completion fish | source; complete -C "fairlead app sy" | cut -f1',
};
for (const [shell, line] of Object.entries(shells)) {
  const there = ['/bin', '/usr/bin'].some((place) => existsSync(join(place, shell)));
  test(`${shell} completes commands`, { skip: there ? false : `no ${shell} on this machine` }, async () => {
    const program = join(folder.path, 'bin/fairlead');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`);
    chmodSync(program, 0o755);
    const env = { PATH: `${dirname(program)}:${process.env['PATH']}`, KUBECONFIG: kubeconfig, HOME: folder.path };
    assert.equal((await run(shell, [...(shell === 'zsh' ? ['-f'] : []), '-c', line], { env })).trim(), 'sync');
  });
}

test('up --fleet creates many Applications, and wait selects them by label', async () => {
  const text = await ok('app', 'wait', '-l', 'fleet=demo', '--timeout', '60');
  for (const number of ['1', '2', '3', '4'])
    assert.match(text, new RegExp(`^✔ fleet-0000${number} is Synced, Healthy$`, 'm'));
});

const script = existsSync('/usr/bin/script');
const onTerminal = (words: string, input?: string): Promise<string> =>
  new Promise((resolve) => {
    const line = `stty cols 100 rows 30; '${process.execPath}' '${command}' ${words}`;
    const env = { ...process.env, KUBECONFIG: kubeconfig, TERM: 'xterm', NO_COLOR: '' };
    const child = execFile('/usr/bin/script', ['-qec', line, '/dev/null'], { env }, (_, stdout) => resolve(stdout));
    if (input !== undefined)
      child.stdout?.on('data', (chunk: string) => chunk.includes('Type ') && child.stdin?.end(input));
  });

test('on a terminal a sync is updated in place, with colors, and the cursor is restored', {
  skip: script ? false : 'no script(1) on this machine',
}, async () => {
  const text = await onTerminal('app sync web');
  assert.ok(text.includes('\u001b[?25l') && text.includes('\u001b[?25h'), text);
  assert.ok(text.includes('A\r\u001b[2K'), 'lines are overwritten');
  assert.ok(text.includes('\u001b[32m✔\u001b[0m web synced to'));
  const lines = stripVTControlCharacters(text).split(/\r?\n/u);
  assert.ok(
    lines.every((line) => [...line.replace(/\r/gu, '')].length <= 100),
    'no line wraps',
  );
});

test('on a terminal delete asks for the name, and does nothing without it', {
  skip: script ? false : 'no script(1) on this machine',
}, async () => {
  const text = await onTerminal('app delete web', 'no\n');
  assert.match(
    text,
    /Application web will be deleted, and its 3 objects[\s\S]*Type web to continue: [\s\S]*nothing was deleted/,
  );
  assert.ok(await api.application('web'));
});
