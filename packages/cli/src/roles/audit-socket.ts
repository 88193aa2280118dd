import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '@fairlead/service';
import type { DataDir } from '../data-dir.ts';

/** The operating system limits the length of a socket path to little more than this. */
const longestName = 100;

/** Calls `use` with the path of the socket, through a symbolic link if the path is too long. */
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

/** Serves audits to processes that can open the data folder: only this process can open the embedded database. */
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
