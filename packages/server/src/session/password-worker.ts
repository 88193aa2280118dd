/** Hashes and compares passwords in its own thread: it takes a tenth of a second, and must not delay other requests. */
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';
import type { PasswordTask } from './passwords.ts';

/** The cost of new hashes, as in Argo CD. */
const cost = 10;

parentPort?.on('message', ({ id, password, hash }: PasswordTask) => {
  const result = hash === undefined ? hashSync(password, cost) : matches(password, hash);
  parentPort?.postMessage({ id, result });
});

function matches(password: string, hash: string): boolean {
  try {
    return compareSync(password, hash);
  } catch {
    // A hash that cannot be read matches no password.
    return false;
  }
}
