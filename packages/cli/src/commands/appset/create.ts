import { type ApplicationSet, applicationSetKind } from '@fairlead/api';
import { equalJson, isAlreadyExists, toJson } from '@fairlead/apimachinery';
import { printObject } from '../../applications/tables/print-object.ts';
import { findSet, keyOfSet, nameOfSet } from '../../applicationsets/find-set.ts';
import { readSets } from '../../applicationsets/read-file.ts';
import type { ObjectClient } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appsetCreate } from '../../command-line/specs/applicationset.ts';

/** `fairlead appset create FILE…` */
export const run: Handler<typeof appsetCreate> = async (call) => {
  const { flags, args, terminal } = call;
  const sets = args.flatMap((file) => readSets(file, flags.namespace));
  const form = flags.output === 'json' ? 'json' : 'yaml';
  if (flags['dry-run']) {
    for (const set of sets) terminal.write(printObject(set, form));
    return exitCodes.ok;
  }
  return withBackend(call, async ({ client }) => {
    for (const set of sets) {
      const { made, how } = await createOrChange(client, set, flags.upsert ?? false);
      if (flags.output === 'name') terminal.write(`applicationset/${nameOfSet(made)}\n`);
      else if (flags.output) terminal.write(printObject(made, form));
      else terminal.write(`${terminal.style.good('✔')} ApplicationSet ${nameOfSet(made)} ${how}\n`);
    }
    return exitCodes.ok;
  });
};

async function createOrChange(
  client: ObjectClient,
  desired: ApplicationSet,
  upsert: boolean,
): Promise<{ made: ApplicationSet; how: string }> {
  try {
    return { made: await client.create(applicationSetKind.type, desired), how: 'created' };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const existing = await findSet(client, keyOfSet(desired));
  if (equalJson(toJson(existing.spec), toJson(desired.spec)))
    return { made: existing, how: 'already exists, unchanged' };
  if (!upsert)
    throw new CliError(`ApplicationSet ${nameOfSet(existing)} already exists and differs: --upsert updates it`);
  const { labels, annotations, finalizers } = desired.metadata;
  const changed: ApplicationSet = {
    ...existing,
    metadata: {
      ...existing.metadata,
      labels: { ...existing.metadata.labels, ...labels },
      annotations: { ...existing.metadata.annotations, ...annotations },
      ...(finalizers ? { finalizers } : {}),
    },
    spec: desired.spec,
  };
  return { made: await client.replace(applicationSetKind.type, changed), how: 'changed' };
}
