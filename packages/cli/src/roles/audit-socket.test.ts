import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Finding } from '@fairlead/service';
import { askForAudit, serveAudits } from './audit-socket.ts';

const root = mkdtempSync(join(tmpdir(), 'audit-'));
// Other tests create temporary folders at the same time.
const temporary = join(root, 'tmp');
mkdirSync(temporary);
process.env['TMPDIR'] = temporary;
after(() => rmSync(root, { recursive: true, force: true }));

const finding = { problem: 'an orphan' } as unknown as Finding;

for (const [words, folder] of [
  ['a short name', 'run'],
  ['a name that is too long for a socket', 'long'.repeat(40)],
] as const) {
  test(`serves audits in a folder with ${words} until it is stopped`, async () => {
    const run = join(root, folder);
    mkdirSync(run);
    const stop = await serveAudits({ run }, async () => [finding]);
    assert.ok(existsSync(join(run, 'service.sock')), 'the socket is in the folder');
    assert.deepEqual(await askForAudit({ run }), [finding]);
    await stop();
    await assert.rejects(askForAudit({ run }));
    const again = await serveAudits({ run }, async () => []);
    assert.deepEqual(await askForAudit({ run }), []);
    await again();
    assert.deepEqual(readdirSync(temporary), [], 'no link is left behind');
  });
}
