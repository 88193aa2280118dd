import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { databases } from './support/databases.ts';

const { open, skip } = databases.find(({ name }) => name === 'PostgreSQL')!;

describe('PostgreSQL', { skip: skip ?? false }, () => {
  test('a statement is prepared once per connection', async () => {
    const { db } = await open();
    await db.connection().execute(async (connection) => {
      for (const number of [1, 2, 3]) await sql`SELECT ${number}::int AS n`.execute(connection);
      const { rows } = await sql<{ times: number }>`
        SELECT generic_plans + custom_plans AS times FROM pg_prepared_statements WHERE statement LIKE '%::int AS n'`.execute(
        connection,
      );
      assert.deepEqual(rows, [{ times: 3 }]);
    });
  });

  test('a schema change under a prepared statement causes one failure', async () => {
    const { db } = await open();
    await sql`CREATE TABLE thing (name text)`.execute(db);
    const read = () => sql`SELECT * FROM thing WHERE name <> ${'none'}`.execute(db);
    for (let i = 0; i < 3; i++) await read();
    await sql`ALTER TABLE thing ADD COLUMN colour text`.execute(db);
    await assert.rejects(read(), /cached plan must not change result type/u);
    assert.deepEqual((await read()).rows, []);
  });

  test('a listener can stop at any time, also before it is connected', async () => {
    const { listen } = await open();
    for (const afterMs of [0, 1, 2, 5, 20]) {
      const stop = listen(
        'anything',
        () => {},
        () => {},
      );
      if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
      await stop();
    }
  });

  test('an open transaction on a broken connection is not carried over to the next user', async () => {
    const { db, pool } = await open();
    await sql`CREATE TABLE thing (name text)`.execute(db);
    const client = await pool.connect();
    await client.query('BEGIN', []);
    await client.query('INSERT INTO thing VALUES ($1)', ['half done']);
    (client.release as (isBroken: boolean) => void)(true);
    await sql`INSERT INTO thing VALUES (${'whole'})`.execute(db);
    assert.deepEqual((await sql`SELECT name FROM thing`.execute(db)).rows, [{ name: 'whole' }]);
  });
});
