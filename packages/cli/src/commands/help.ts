import { CliError } from '../cli-error.ts';
import type { Handler } from '../command-line/command.ts';
import { pageFor } from '../command-line/help.ts';
import type { help } from '../command-line/specs/instance.ts';

export const run: Handler<typeof help> = async ({ args, terminal }) => {
  const text = pageFor(args);
  if (text === undefined) throw new CliError(`unknown command ${args.join(' ')}: fairlead help lists all commands`);
  terminal.write(text);
  return 0;
};
