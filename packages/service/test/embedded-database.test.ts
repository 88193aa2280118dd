import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { migrate, openPglite } from '../src/database/index.ts';

const root = mkdtempSync(join(tmpdir(), 'fairlead-database-'));
const dataDir = join(root, 'database');
after(() => rmSync(root, { recursive: true, force: true }));

test('the embedded database persists writes, notifies listeners, and can be opened by one process only', async () => {
  const database = await openPglite({ dataDir });
  const received: string[] = [];
  let gaps = 0;
  const stop = database.listen(
    'fairlead_test',
    (payload) => received.push(payload),
    () => gaps++,
  );
  assert.deepEqual(await migrate(database.db), ['0001-tables']);
  assert.deepEqual(await migrate(database.db), []);
  await assert.rejects(openPglite({ dataDir }), /is in use by another instance/u);
  const bytes = Buffer.from([1, 2, 255]);
  const { rows } = await sql<{
    bytes: Uint8Array;
  }>`SELECT ${bytes}::bytea AS bytes, pg_notify('fairlead_test', 'x')`.execute(database.db);
  assert.deepEqual([...rows[0]!.bytes], [1, 2, 255]);
  await assert.rejects(sql`SELECT * FROM nowhere`.execute(database.db), { code: '42P01' });
  assert.deepEqual([received, gaps], [['x'], 1]);
  await stop();
  await database.close();
  const again = await openPglite({ dataDir });
  assert.deepEqual(await migrate(again.db), []);
  await again.close();
});

test('the creation of a database can be cancelled, and is completed the next time', async () => {
  const given = join(root, 'cancelled');
  const stop = new AbortController();
  const opening = openPglite({ dataDir: given, signal: stop.signal });
  while (!existsSync(`${given}.unfinished`)) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort(new Error('no longer desired'));
  await assert.rejects(opening, /no longer desired/u);
  assert.equal(existsSync(given), false, 'an incomplete database is removed');
  const database = await openPglite({ dataDir: given });
  assert.deepEqual(await migrate(database.db), ['0001-tables']);
  await database.close();
});
