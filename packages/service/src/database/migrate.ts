import { sql } from 'kysely';
import type { Database } from './database.ts';
import { migrations } from './migrations.ts';

/** An arbitrary number that no other user of the database locks. */
const lock = 7_317_040;

/**
 * Migrates the tables. Processes that start together wait for each other; a migration and its record are one transaction.
 * Returns the names of the migrations that it ran.
 */
export async function migrate(db: Database, list = migrations): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(lock)})`.execute(tx);
    await sql`CREATE TABLE IF NOT EXISTS fairlead_migration (name text PRIMARY KEY, run_on timestamptz NOT NULL DEFAULT now())`.execute(
      tx,
    );
    const { rows } = await sql<{ name: string }>`SELECT name FROM fairlead_migration`.execute(tx);
    const known = new Set(rows.map(({ name }) => name));
    const unknown = [...known].find((name) => list.every((migration) => migration.name !== name));
    if (unknown) throw new Error(`the database is of a newer Fairlead: it has the migration ${unknown}`);
    const due = list.filter(({ name }) => !known.has(name));
    for (const { name, sql: text } of due) {
      for (const statement of text.split(/;\s*\n/u).filter((part) => part.trim() !== '')) {
        await sql.raw(statement).execute(tx);
      }
      await sql`INSERT INTO fairlead_migration (name) VALUES (${name})`.execute(tx);
    }
    return due.map(({ name }) => name);
  });
}
