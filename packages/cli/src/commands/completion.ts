import { elementAt } from '@fairlead/apimachinery';
import { CliError } from '../cli-error.ts';
import type { Handler } from '../command-line/command.ts';
import { completionScript } from '../command-line/completion.ts';
import type { completion } from '../command-line/specs/instance.ts';

/** `fairlead completion SHELL` */
export const run: Handler<typeof completion> = async ({ args, terminal }) => {
  const script = completionScript(elementAt(args, 0));
  if (script === undefined) throw new CliError(`unknown shell ${args[0]}: use bash, zsh or fish`);
  terminal.write(script);
  return 0;
};
