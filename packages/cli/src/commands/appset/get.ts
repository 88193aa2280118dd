import { elementAt } from '@fairlead/apimachinery';
import { printObject } from '../../applications/tables/print-object.ts';
import { findSet, nameOfSet, setKey } from '../../applicationsets/find-set.ts';
import { describeSet } from '../../applicationsets/set-text.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appsetGet } from '../../command-line/specs/applicationset.ts';

/** `fairlead appset get NAME` */
export const run: Handler<typeof appsetGet> = async (call) => {
  const { flags, args, terminal } = call;
  return withBackend(call, async ({ client }) => {
    const set = await findSet(client, setKey(elementAt(args, 0), flags.namespace));
    if (flags.output === 'name') terminal.write(`applicationset/${nameOfSet(set)}\n`);
    else if (flags.output) terminal.write(printObject(set, flags.output));
    else terminal.write(`${describeSet(set, terminal.style).join('\n')}\n`);
    return exitCodes.ok;
  });
};
