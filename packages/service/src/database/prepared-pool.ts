import type { PostgresPool } from 'kysely';
import type { Pool, QueryResult } from 'pg';

type PoolClient = Awaited<ReturnType<PostgresPool['connect']>>;

/** More statements than we have: beyond, texts that are made up as we go would fill the server's memory. */
const most = 500;
/** A table has changed under a statement that the server had prepared. */
const stalePlan = '0A000';

/**
 * A pool whose connections have each statement read and planned once, and not each time that it runs: for statements as short as ours that
 * is most of the database's work.
 */
export function preparedPool(pool: Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < most) names.set(text, `fairlead_${names.size}`);
    return names.get(text);
  };
  return {
    options: {},
    async connect() {
      const client = await pool.connect();
      let isStale = false;
      const query = (text: string, values: readonly unknown[] = []): Promise<QueryResult> => {
        const name = values.length > 0 ? nameOf(text) : undefined;
        return client.query({ text, values: [...values], ...(name ? { name } : {}) }).catch((error: unknown) => {
          if ((error as { code?: string }).code === stalePlan) isStale = true;
          throw error;
        });
      };
      // Whoever knows that the connection is broken says so, as to any client of a pool.
      const release = (isBroken = false): void => client.release(isBroken || isStale);
      return { query, release } as unknown as PoolClient;
    },
    end: () => pool.end(),
  };
}
