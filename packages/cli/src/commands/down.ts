import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sleep, systemClock } from '@fairlead/kube';
import { CliError } from '../cli-error.ts';
import { dataDirAt, defaultDataDir, lockDataDir, ownerOf } from '../data-dir.ts';
import type { Command } from '../main.ts';
import { readOptions } from '../options.ts';

const deadlineMs = 30_000;

export const run: Command = async (args, environment) => {
  const { values } = readOptions(() => parseArgs({ args: [...args], options: { 'data-dir': { type: 'string' } } }));
  const dir = dataDirAt(values['data-dir'] ?? environment.dataDir ?? defaultDataDir);
  if (isFree(dir)) {
    console.log(`nothing runs on ${dir.root}`);
    return 0;
  }
  const pid = ownerOf(dir);
  if (pid === undefined)
    throw new CliError(`an instance runs on ${dir.root}, but its process id is unknown: stop it manually`);
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < deadlineMs; waited += 100) {
    await sleep(systemClock, 100);
    if (isFree(dir)) {
      console.log(`stopped process ${pid}`);
      return 0;
    }
  }
  throw new CliError(
    `process ${pid} did not stop in ${deadlineMs / 1000} s: end it with kill -9 ${pid}; acknowledged writes are safe`,
  );
};

/** The folder is free if it can be locked. */
function isFree(dir: ReturnType<typeof dataDirAt>): boolean {
  if (!existsSync(dir.run)) return true;
  try {
    lockDataDir(dir).release();
    return true;
  } catch (error) {
    if (error instanceof CliError && /another instance/u.test(error.message)) return false;
    throw error;
  }
}
