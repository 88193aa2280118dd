import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '@fairlead/service';
import type { DataDir } from '../data-dir.ts';

/** The system takes little more than this for the name of a socket. */
const longestName = 100;

/** Gives the socket's name, which is one over a link where the folder's own is too long. */
async function withSocketName<T>({ run }: Pick<DataDir, 'run'>, use: (name: string) => Promise<T>): Promise<T> {
  const name = join(run, 'service.sock');
  if (Buffer.byteLength(name) <= longestName) return use(name);
  const place = mkdtempSync(join(tmpdir(), 'fairlead-'));
  try {
    symlinkSync(run, join(place, 'run'));
    return await use(join(place, 'run', 'service.sock'));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Answers audits to whoever may open the data folder: the embedded database is this process's alone. */
export async function serveAudits(
  dir: Pick<DataDir, 'run'>,
  audit: () => Promise<Finding[]>,
): Promise<() => Promise<void>> {
  const server = createServer((_, response) => {
    audit().then(
      (findings) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(findings)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await withSocketName(dir, (name) => {
    rmSync(name, { force: true });
    return new Promise<void>((resolve, reject) => server.once('error', reject).listen(name, resolve));
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

/** An audit by the instance that runs on a data folder. */
export const askForAudit = (dir: Pick<DataDir, 'run'>): Promise<Finding[]> =>
  withSocketName(
    dir,
    (socketPath) =>
      new Promise((resolve, reject) => {
        const call = request({ socketPath, path: '/audit' }, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => (response.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))));
        });
        call.on('error', reject);
        call.end();
      }),
  );
