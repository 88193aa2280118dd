import type { Application } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { GenerationFailed, type Preview, type PreviewedChange, previewSet } from '@fairlead/app-controller';
import { resourceIdOf } from '@fairlead/engine';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { printList } from '../../applications/tables/print-object.ts';
import { keyOfSet, lookUpSet } from '../../applicationsets/find-set.ts';
import { withPreviewEnv } from '../../applicationsets/preview-env.ts';
import { readSet } from '../../applicationsets/read-file.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appsetPreview } from '../../command-line/specs/applicationset.ts';
import type { ObjectDiff } from '../../diff/print-diff.ts';
import { printDifferences } from '../app/diff.ts';

/** `fairlead appset preview FILE` */
export const run: Handler<typeof appsetPreview> = async (call) => {
  const { flags, args, terminal, environment } = call;
  if (flags.server !== undefined)
    throw new CliError('appset preview reads a cluster: use --kubeconfig FILE instead of --server');
  const set = readSet(elementAt(args, 0), flags.namespace);
  return onCluster(call, async (client) => {
    const live = await lookUpSet(client, keyOfSet(set));
    const identity = live?.metadata.uid ? { uid: live.metadata.uid } : {};
    const asked = { ...set, metadata: { ...set.metadata, ...identity } };
    const preview = await withPreviewEnv(client, keyOfSet(set).namespace, environment, (env) =>
      previewSet(env, asked).catch((error: unknown) => {
        throw error instanceof GenerationFailed ? new CliError(`${error.reason}: ${error.message}`) : error;
      }),
    );
    if (flags.output) terminal.write(printList(resulting(preview), flags.output));
    else terminal.write(`${printDifferences(differences(preview), terminal)}`);
    for (const [name, problem] of preview.problems) terminal.writeError(`✖ ${name}: ${problem}`);
    if (preview.held !== undefined) terminal.writeError(`! the deletions would be held: ${preview.held}`);
    if (preview.problems.size > 0) return exitCodes.error;
    const changes = preview.create.length + preview.update.length + preview.delete.length;
    return changes > 0 && flags['exit-code'] !== false ? exitCodes.drift : exitCodes.ok;
  });
};

const resulting = ({ create, update }: Preview): Application[] =>
  [...create, ...update].flatMap(({ after }) => (after ? [after] : []));

function differences({ create, update, delete: deleted }: Preview): ObjectDiff[] {
  const each = (changes: readonly PreviewedChange[]): ObjectDiff[] =>
    changes.flatMap(({ before, after }): ObjectDiff[] => {
      if (before && after) return [{ id: resourceIdOf(after), kind: 'changed', live: before, predicted: after }];
      if (after) return [{ id: resourceIdOf(after), kind: 'created', target: after }];
      return before ? [{ id: resourceIdOf(before), kind: 'pruned' }] : [];
    });
  return [...each(create), ...each(update), ...each(deleted)];
}
