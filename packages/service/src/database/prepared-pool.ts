import { textAt } from '@fairlead/apimachinery';
import type { PostgresPool } from 'kysely';
import type { Pool, QueryResult } from 'pg';

type PoolClient = Awaited<ReturnType<PostgresPool['connect']>>;

/** More than the statements that we have: generated texts would fill the server's memory. */
const most = 500;
/** A table has changed since the server prepared a statement. */
const stalePlan = '0A000';

/**
 * A pool whose connections prepare each statement once, instead of parsing and planning it each time: for short statements like ours that
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
          if (textAt(error, 'code') === stalePlan) isStale = true;
          throw error;
        });
      };
      // A caller that knows that the connection is broken passes the error, as with any pool.
      const release = (isBroken = false): void => client.release(isBroken || isStale);
      return { query, release } as unknown as PoolClient;
    },
    end: () => pool.end(),
  };
}
