/**
 * PostgreSQL in a separate process for its parent: memory and long queries do not burden the parent, and it exits with the parent,
 * however that exits. Compiled once and not optimized: optimizing would need five times the memory for a while.
 */
import { PGlite } from '@electric-sql/pglite';
import type { Answer, Request } from './pglite-remote.ts';
import { postgresqlconf } from './pglite-settings.ts';

const [, , dataDir = ''] = process.argv;
const pglite = await PGlite.create({ dataDir, postgresqlconf });

const send = (answer: Answer): void => {
  if (process.connected) process.send?.(answer);
};

async function serve({ id, text, parameters, listen }: Request): Promise<void> {
  try {
    if (listen !== undefined) {
      await pglite.listen(listen, (payload) => send({ notification: { channel: listen, payload } }));
      send({ id, rows: [] });
      return;
    }
    const { rows, affectedRows } = await pglite.query<object>(text, [...parameters]);
    send({ id, rows, ...(affectedRows === undefined ? {} : { affectedRows }) });
  } catch (error) {
    const { message, code, detail, constraint } = error as Error & Record<string, string | undefined>;
    send({ id, error: { message, code, detail, constraint } });
  }
}

let last: Promise<void> = Promise.resolve();
process.on('message', (request: Request) => {
  last = last.then(() => serve(request));
});
process.on('disconnect', () => void last.then(() => pglite.close()).finally(() => process.exit(0)));
// Ctrl-C in a terminal signals the whole group: the parent decides when this process exits.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
send({ ready: true });
