import { paceCollections } from '@fairlead/kube/garbage';
import { runCommandLine } from './command-line/run.ts';
import { Complaint } from './complaint.ts';
import { readEnvironment } from './environment.ts';
import { processTerminal } from './terminal/terminal.ts';

export type { Command } from './command-line/table.ts';

paceCollections();

/** Whoever reads our output may have read enough (`| head`). */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const environment = readEnvironment();
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), environment, processTerminal(environment));
} catch (error) {
  console.error(error instanceof Complaint ? `fairlead: ${error.message}` : error);
  process.exitCode = error instanceof Complaint ? error.code : 1;
}
