import { apiError } from '@fairlead/apimachinery';
import type { ApiClient, Random } from '@fairlead/kube';
import type { PostgresPool } from 'kysely';
import { databaseOver, type OpenDatabase } from '../../src/database/index.ts';

/** An API and a database of which a share of all calls fails: half of those before they are executed, half afterwards. */
export function failing(
  { client, database }: { readonly client: ApiClient; readonly database: OpenDatabase },
  share: number,
  random: Random,
): { readonly client: ApiClient; readonly database: OpenDatabase } {
  if (share === 0) return { client, database };
  const chance = (): boolean => random() < share / 2;
  const call = async <T>(make: () => Promise<T>): Promise<T> => {
    if (chance()) throw apiError(500, 'InternalError', 'this call was made to fail');
    const answer = await make();
    if (chance()) throw apiError(504, 'Timeout', 'the answer to this call was made to be lost');
    return answer;
  };
  return {
    client: {
      watch: client.watch.bind(client),
      get: (...args) => call(() => client.get(...args)),
      list: (...args) => call(() => client.list(...args)),
      create: (...args) => call(() => client.create(...args)),
      replace: (...args) => call(() => client.replace(...args)),
      patch: (...args) => call(() => client.patch(...args)),
      delete: (...args) => call(() => client.delete(...args)),
      deleteCollection: (...args) => call(() => client.deleteCollection(...args)),
    },
    database: { ...database, db: databaseOver(failingPool(database, chance)) },
  };
}

/** The connection is lost with the statement: uncommitted changes are rolled back, and whether a commit succeeded is unknown. */
function failingPool({ pool }: OpenDatabase, chance: () => boolean): PostgresPool {
  const lost = (): Error => Object.assign(new Error('this statement was made to fail'), { code: 'ECONNRESET' });
  return {
    options: {},
    end: async () => {},
    async connect() {
      const client = await pool.connect();
      let broken = false;
      const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
        if (broken || chance()) {
          broken = true;
          throw lost();
        }
        const answer = await (client.query as (text: string, parameters: unknown[]) => Promise<unknown>)(
          text,
          parameters,
        );
        if (chance()) {
          broken = true;
          throw lost();
        }
        return answer;
      };
      return { query, release: () => client.release(broken) } as unknown as Awaited<
        ReturnType<PostgresPool['connect']>
      >;
    },
  };
}
