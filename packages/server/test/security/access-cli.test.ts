/** Role × call × answer, through `fairlead … --server`: the rights of `call-table.ts`, with the commands of `command-table.ts`. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { caller } from '@fairlead/cli/testing';
import { type RoleName, roles } from './call-table.ts';
import { wordsWith } from './command-files.ts';
import { commandTable } from './command-table.ts';
import { type SecuredInstallation, startSecured } from './fixtures.ts';

let secured: SecuredInstallation;
const home = mkdtempSync(join(tmpdir(), 'fairlead-rights-'));

before(async () => {
  secured = await startSecured();
});
after(async () => {
  await secured.installation.close();
  rmSync(home, { recursive: true, force: true });
});

const decisionOf = (stderr: string): 'unauthenticated' | 'denied' | 'answered' =>
  stderr.includes('requires a session')
    ? 'unauthenticated'
    : stderr.includes('not permitted') || stderr.includes('you may not see it')
      ? 'denied'
      : 'answered';

for (const { fairlead, allowed } of commandTable) {
  if (fairlead.length === 0) continue;
  test(`fairlead ${fairlead.join(' ')}: ${allowed === 'public' ? 'public' : allowed.join(', ')}`, async () => {
    const problems: string[] = [];
    const run = async (who: RoleName | 'nobody', expected: ReturnType<typeof decisionOf>): Promise<void> => {
      const token = who === 'nobody' ? {} : { FAIRLEAD_AUTH_TOKEN: secured.tokens[who] };
      const variables = { HOME: home, FAIRLEAD_SERVER: `127.0.0.1:${secured.server.port}`, ...token };
      const { code, stdout, stderr } = await caller(() => variables)(...wordsWith(home, fairlead), '--plaintext');
      const decision = decisionOf(stderr);
      if (decision !== expected || (decision !== 'answered' && code !== 1))
        problems.push(`${who}: expected ${expected}, got ${decision} with exit code ${code}: ${stdout}${stderr}`);
    };
    await secured.restore();
    await run('nobody', allowed === 'public' ? 'answered' : 'unauthenticated');
    for (const role of roles) if (allowed !== 'public' && !allowed.includes(role)) await run(role, 'denied');
    for (const role of roles) {
      if (allowed !== 'public' && !allowed.includes(role)) continue;
      await secured.restore();
      await run(role, 'answered');
    }
    assert.deepEqual(problems, []);
  });
}
