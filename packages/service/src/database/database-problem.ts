import { type Clock, sleep } from '@fairlead/kube';
import { sql } from 'kysely';
import type { OpenDatabase } from './database.ts';

const answerMs = 5_000;
/** Tenants may see it: without the address. */
const problem = 'the database does not respond';

/** Undefined if the database answers. */
export async function databaseProblem({ db }: Pick<OpenDatabase, 'db'>, clock: Clock): Promise<string | undefined> {
  const done = new AbortController();
  const asked = sql`SELECT 1`.execute(db).then(
    () => undefined,
    () => problem,
  );
  const late = sleep(clock, answerMs, done.signal).then(
    () => problem,
    () => undefined,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    done.abort();
  }
}
