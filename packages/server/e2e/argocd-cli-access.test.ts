/** Role × call × answer through a real `argocd`: the rights of `call-table.ts`, with the commands of `command-table.ts`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RoleName, roles } from '../test/security/call-table.ts';
import { wordsWith } from '../test/security/command-files.ts';
import { commandTable } from '../test/security/command-table.ts';
import { type SecuredInstallation, startSecured } from '../test/security/fixtures.ts';

const argocd = process.env['FAIRLEAD_E2E_ARGOCD'];
const skip = argocd === undefined ? 'needs a real argocd: --argocd FILE' : false;
const home = mkdtempSync(join(tmpdir(), 'argocd-rights-'));
let secured: SecuredInstallation | undefined;

before(async () => {
  if (!skip) secured = await startSecured();
});
after(async () => {
  await secured?.installation.close();
  rmSync(home, { recursive: true, force: true });
});

function run(args: readonly string[]): Promise<{ readonly exit: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(argocd ?? '', [...args], {
      env: { PATH: process.env['PATH'], HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ exit, output });
    });
  });
}

const decisionOf = (output: string): 'unauthenticated' | 'denied' | 'answered' =>
  output.includes('code = Unauthenticated')
    ? 'unauthenticated'
    : output.includes('code = PermissionDenied')
      ? 'denied'
      : 'answered';

for (const { argocd: command, allowed } of commandTable) {
  if (command.length === 0) continue;
  const title = `argocd ${command.join(' ')}: ${allowed === 'public' ? 'public' : allowed.join(', ')}`;
  test(title, { skip }, async () => {
    assert.ok(secured);
    const { restore, server, tokens } = secured;
    const problems: string[] = [];
    const check = async (who: RoleName | 'nobody', expected: ReturnType<typeof decisionOf>): Promise<void> => {
      const auth = who === 'nobody' ? [] : ['--auth-token', tokens[who]];
      const connect = ['--server', `127.0.0.1:${server.port}`, '--plaintext', ...auth];
      const { exit, output } = await run([...wordsWith(home, command), ...connect]);
      const decision = decisionOf(output);
      if (exit === null || decision !== expected || (decision !== 'answered' && exit === 0))
        problems.push(`${who}: expected ${expected}, got ${decision} with exit code ${exit}: ${output}`);
    };
    await restore();
    await check('nobody', allowed === 'public' ? 'answered' : 'unauthenticated');
    for (const role of roles) if (allowed !== 'public' && !allowed.includes(role)) await check(role, 'denied');
    for (const role of roles) {
      if (allowed !== 'public' && !allowed.includes(role)) continue;
      await restore();
      await check(role, 'answered');
    }
    assert.deepEqual(problems, []);
  });
}
