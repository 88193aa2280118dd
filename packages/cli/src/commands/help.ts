import type { Handler } from '../command-line/command.ts';
import { pageFor } from '../command-line/help.ts';
import type { help } from '../command-line/specs/instance.ts';
import { Complaint } from '../complaint.ts';

export const run: Handler<typeof help> = async ({ args, terminal }) => {
  const text = pageFor(args);
  if (text === undefined) throw new Complaint(`there is no command ${args.join(' ')}: fairlead help lists all`);
  terminal.write(text);
  return 0;
};
