import { paceCollections } from '@fairlead/kube/process';
import { cliErrorIn } from './cli-error.ts';
import { runCommandLine } from './command-line/run.ts';
import { readEnvironment } from './environment.ts';
import { endSoon } from './shutdown.ts';
import { processTerminal } from './terminal/terminal.ts';

export type { Command } from './command-line/table.ts';

paceCollections();

/** The reader of a pipe may close it early (`| head`). */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const environment = readEnvironment();
const terminal = processTerminal(environment);
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), environment, terminal);
  if (terminal.stopped().aborted) endSoon();
} catch (error) {
  const cliError = cliErrorIn(error);
  console.error(cliError ? `fairlead: ${cliError.message}` : error);
  process.exitCode = cliError?.code ?? 1;
  endSoon();
}
