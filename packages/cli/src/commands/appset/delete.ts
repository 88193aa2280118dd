import { type ApplicationSet, applicationSetKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import { applicationsOf, findSet, keyOfSet, nameOfSet, setKey } from '../../applicationsets/find-set.ts';
import type { ObjectClient } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appsetDelete } from '../../command-line/specs/applicationset.ts';

type Flags = Call<typeof appsetDelete.flags>['flags'];

/** `fairlead appset delete NAME…` */
export const run: Handler<typeof appsetDelete> = async (call) => {
  const { flags, args, terminal } = call;
  return withBackend(call, async ({ client }) => {
    const sets = await Promise.all(args.map((name) => findSet(client, setKey(name, flags.namespace))));
    for (const set of sets) terminal.write(`${await impact(client, set, flags)}\n`);
    if (!flags.yes) {
      const answer = await terminal.ask('Type yes to continue: ');
      if (answer === undefined) throw new CliError('cannot ask for confirmation without a terminal: add --yes');
      if (answer !== 'yes') {
        terminal.write('nothing was deleted\n');
        return exitCodes.error;
      }
    }
    for (const set of sets) {
      await remove(client, set, flags);
      terminal.write(`${terminal.style.good('✔')} ApplicationSet ${nameOfSet(set)} deleted\n`);
    }
    return exitCodes.ok;
  });
};

async function impact(client: ObjectClient, set: ApplicationSet, { cascade }: Flags): Promise<string> {
  const applications = (await applicationsOf(client, set)).map(({ metadata }) => metadata.name);
  const name = `ApplicationSet ${nameOfSet(set)}`;
  if (applications.length === 0) return `${name} will be deleted; it has no Applications`;
  const shown = applications.slice(0, 10).join(', ');
  const more = applications.length > 10 ? ` and ${applications.length - 10} more` : '';
  const count = applications.length === 1 ? '1 Application' : `${applications.length} Applications`;
  return cascade === false
    ? `${name} will be deleted; its ${count} will be kept: ${shown}${more}`
    : `${name} will be deleted, and its ${count}: ${shown}${more}`;
}

/** Without the garbage collector, Applications lose their owner and stay. */
async function remove(client: ObjectClient, set: ApplicationSet, { cascade }: Flags): Promise<void> {
  const { uid } = set.metadata;
  try {
    await client.delete(applicationSetKind.type, keyOfSet(set), {
      propagationPolicy: cascade === false ? 'Orphan' : 'Background',
      ...(uid ? { preconditions: { uid } } : {}),
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
