/** Runs every command of the pages in `docs/operate`, page by page, on an embedded cluster. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { debianPart } from '@fairlead/source/testing';
import { runCommand, temporaryFolder } from '../test/support/fairlead-process.ts';

const skip = process.env['FAIRLEAD_E2E'] ? false : 'only in npm run e2e -- operate-docs';
const root = fileURLToPath(new URL('../../..', import.meta.url));
const pages = globSync(join(root, 'docs/operate/*.md')).sort();
const folder = temporaryFolder();
const kubeconfig = join(folder.path, 'kubeconfig');
let cluster: EmbeddedCluster | undefined;

/** Commands that another suite runs. */
const elsewhere: readonly (readonly [command: RegExp, suite: string])[] = [
  [/^npm ci && npm run image$/u, 'npm run e2e -- container-image'],
  [/^pg_dump /u, 'the tests of PostgreSQL'],
  [/^helm upgrade /u, 'scripts/generate-deploy: the chart is rendered with these values'],
];
/** The pods of the embedded cluster are simulated, so nobody holds the Leases that `check` checks. */
const codes: readonly (readonly [command: RegExp, codes: readonly number[]])[] = [
  [/^fairlead check$/u, [0, 3]],
  [/^fairlead doctor/u, [0, 1]],
];

before(async () => {
  if (skip) return;
  cluster = await startEmbeddedCluster({ nodes: 2 });
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
});
after(async () => {
  await cluster?.close();
  folder.remove();
});

const commandsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```\n(.*?)^```$/gmsu)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => line !== ''),
  );

/** Installing comes first: other pages need an installation. */
const inOrder = [...pages].sort((a, b) => Number(b.endsWith('install.md')) - Number(a.endsWith('install.md')));

for (const page of inOrder) {
  const commands = commandsOf(page);
  if (commands.length === 0) continue;
  test(`the commands of ${basename(page)} work`, { skip }, async () => {
    for (const command of commands.filter((line) => !/^fairlead uninstall$/u.test(line))) await run(command);
  });
}

test('uninstalling works, as install.md says', { skip }, () => run('fairlead uninstall --yes'));

async function run(command: string): Promise<void> {
  if (elsewhere.some(([pattern]) => pattern.test(command))) return;
  const words = command.split(' ').map((word) => word.replaceAll('…', 'example'));
  const variables = words.filter((word) => /^[A-Z_]+=/u.test(word)).map((word) => word.split('=', 2));
  const env = { KUBECONFIG: kubeconfig, ...Object.fromEntries(variables) };
  const [program = '', ...args] = words.filter((word) => !/^[A-Z_]+=/u.test(word));
  const allowed = codes.find(([pattern]) => pattern.test(command))?.[1] ?? [0];
  if (program === 'fairlead') {
    const { code, stdout, stderr } = await runCommand(args, { cwd: folder.path, env });
    assert.ok(allowed.includes(code), `${command}: ${code}\n${stdout.slice(-2_000)}\n${stderr}`);
    return;
  }
  assert.ok(['kubectl', 'promtool'].includes(program), `${command}: nothing runs it`);
  const { path, skip: missing } = debianPart(program, program === 'promtool' ? 'prometheus' : 'kubernetes-client');
  assert.equal(missing, false);
  // Not synchronously: the cluster runs in this process.
  const { status, output } = await new Promise<{ status: number; output: string }>((resolve) => {
    execFile(path, args, { cwd: root, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` }),
    );
  });
  assert.ok(allowed.includes(status), `${command}: ${status}\n${output}`);
}
