import { rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import type { Finding } from '@fairlead/service';
import type { DataDir } from '../instance.ts';

const socketOf = (dir: Pick<DataDir, 'run'>): string => join(dir.run, 'service.sock');

/** Answers audits to whoever may open the data folder: the embedded database is this process's alone. */
export async function serveAudits(
  dir: Pick<DataDir, 'run'>,
  audit: () => Promise<Finding[]>,
): Promise<() => Promise<void>> {
  const path = socketOf(dir);
  rmSync(path, { force: true });
  const server = createServer((_, response) => {
    audit().then(
      (findings) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(findings)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

/** An audit by the instance that runs on a data folder. */
export function askForAudit(dir: Pick<DataDir, 'run'>): Promise<Finding[]> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: socketOf(dir), path: '/audit' }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => (response.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))));
    });
    call.on('error', reject);
    call.end();
  });
}
