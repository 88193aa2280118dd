import { CliError } from '../cli-error.ts';
import type { Terminal } from './terminal.ts';

/** Asks before something is removed, unless `--yes` was given. Without a terminal, `--yes` is required. */
export async function confirmed(terminal: Terminal, question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true;
  const answer = await terminal.ask(`${question} [y/N] `);
  if (answer === undefined) throw new CliError('cannot ask for confirmation without a terminal: add --yes');
  if (/^y(es)?$/iu.test(answer)) return true;
  terminal.write('nothing was changed\n');
  return false;
}
