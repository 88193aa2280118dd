import { printList } from '../../applications/tables/print-object.ts';
import { listSets, nameOfSet } from '../../applicationsets/find-set.ts';
import { setTable } from '../../applicationsets/set-text.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appsetList } from '../../command-line/specs/applicationset.ts';

/** `fairlead appset list` */
export const run: Handler<typeof appsetList> = async (call) => {
  const { flags, terminal } = call;
  return withBackend(call, async ({ client }) => {
    const sets = await listSets(client, flags.namespace);
    if (flags.output === 'name') for (const set of sets) terminal.write(`applicationset/${nameOfSet(set)}\n`);
    else if (flags.output) terminal.write(printList(sets, flags.output));
    else if (sets.length === 0) terminal.write('no ApplicationSets: fairlead appset create FILE creates one\n');
    else terminal.write(setTable(sets, terminal.style));
    return exitCodes.ok;
  });
};
