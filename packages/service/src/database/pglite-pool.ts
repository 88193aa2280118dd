import type { PostgresPool } from 'kysely';

type PoolClient = Awaited<ReturnType<PostgresPool['connect']>>;

/** A PGlite in this process or in another. */
export interface PgliteConnection {
  query(text: string, parameters?: unknown[]): Promise<{ rows: unknown[]; affectedRows?: number }>;
  close(): Promise<void>;
}

/**
 * PGlite as a pool of one connection: a client has it exclusively until it releases it, so that transactions do not mix.
 */
export function pglitePool(pglite: PgliteConnection): PostgresPool {
  let tail: Promise<void> = Promise.resolve();
  return {
    options: {},
    async connect() {
      const before = tail;
      let release = (): void => {};
      tail = new Promise((resolve) => (release = resolve));
      await before;
      const query = async (text: string, parameters: readonly unknown[] = []) => {
        const { rows, affectedRows } = await pglite.query(text, [...parameters]);
        const command = /^\s*(\w+)/u.exec(text)?.[1]?.toUpperCase() ?? '';
        return { command, rowCount: affectedRows ?? rows.length, rows };
      };
      return { query, release } as unknown as PoolClient;
    },
    end: () => pglite.close(),
  };
}
