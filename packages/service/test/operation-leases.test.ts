import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { must } from '@fairlead/apimachinery';
import { sql } from 'kysely';
import { type OpenDatabase, openMemoryPglite } from '../src/database/index.ts';
import { migrate } from '../src/database/migrate.ts';
import { claimOperation, endOperation, type OperationRow, operationOf } from '../src/store/operations.ts';

let database: OpenDatabase;
before(async () => {
  database = await openMemoryPglite();
  await migrate(database.db);
  // The rows that an Operation refers to do not matter here.
  await sql`SET session_replication_role = replica`.execute(database.db);
});
after(() => database?.close());

const now = new Date();
const add = (id: string) =>
  sql`INSERT INTO operation (operation_id, instance_id, resource_type, resource_id, operation_owner_user_id, generation, reached,
    state, requested_on, created_on, last_state_update)
    VALUES (${`application-${id}`}, 'i', 'Application', ${id}, 'u', 1, 0, 'Waiting', ${now}, ${now}, ${now})`.execute(
    database.db,
  );
const claim = (id: string, owner: string, leaseMs: number) =>
  claimOperation(database, `application-${id}`, { owner, now, leaseMs });
const claimed = async (id: string, owner: string, leaseMs: number): Promise<OperationRow> => {
  const row = must(await claim(id, owner, leaseMs), 'the Operation');
  assert.ok(row !== 'locked');
  return row;
};
const stored = async (id: string): Promise<OperationRow> =>
  must(await operationOf(database.db, 'Application', id), 'the row');

test('an Operation belongs to one process until its lease expires', async () => {
  await add('a');
  await claimed('a', 'first', 60_000);
  assert.equal(await claim('a', 'second', 60_000), undefined);
  await claimed('a', 'first', -1_000);
  await claimed('a', 'second', 60_000);
});

test('a process that lost its lease writes nothing', async () => {
  await add('b');
  const early = await claimed('b', 'first', -1_000);
  await claimed('b', 'second', 60_000);
  const end = { now, state: 'Completed' } as const;
  assert.deepEqual(await endOperation(database.db, early, { ...end, owner: 'first' }), { again: false, isLost: true });
  const { lease_owner, reached, state } = await stored('b');
  assert.deepEqual({ lease_owner, reached, state }, { lease_owner: 'second', reached: 0, state: 'In_Progress' });
});

test('a change during an Operation is processed after it', async () => {
  await add('c');
  const row = await claimed('c', 'first', 60_000);
  await sql`UPDATE operation SET generation = 2 WHERE resource_id = 'c'`.execute(database.db);
  const end = { owner: 'first', now, state: 'Completed' } as const;
  assert.deepEqual(await endOperation(database.db, row, end), { again: true, isLost: false });
  const { reached, generation, state } = await stored('c');
  assert.deepEqual({ reached, generation, state }, { reached: 1, generation: 2, state: 'Waiting' });
});
