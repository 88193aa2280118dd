import type { Application } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import type { HttpClient } from '@fairlead/kube';
import { folderTree } from '@fairlead/source';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { revisionsAsked } from '../../applications/operations/requested-revisions.ts';
import { findWhole, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import { readTargetState, SourceUnreadable } from '../../applications/sources/target-state.ts';
import { objectText, syncWord, whyText } from '../../applications/tables/status-text.ts';
import { isInvalid } from '../../applications/watch/wait-conditions.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appDiff } from '../../command-line/specs/app.ts';
import { noColours, terminalColours } from '../../diff/colours.ts';
import { compareWithLive } from '../../diff/compare-with-live.ts';
import { type ObjectDiff, printDiff } from '../../diff/print-diff.ts';
import { sourceFolderAt, withRenderErrors } from '../../render/source-folder.ts';
import { noStyle } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type DiffCall = Call<typeof appDiff.flags>;

/** `fairlead app diff NAME` */
export const run: Handler<typeof appDiff> = async (call) => {
  const { flags, args, terminal } = call;
  return onCluster(call, async (client) => {
    const application = await findWhole(client, keyFrom(elementAt(args, 0), flags.namespace));
    const found = await differences(client, application, call);
    if (found === undefined) return asTheControllerSaw(application, call);
    for (const warning of found.warnings) terminal.writeError(`! ${warning}`);
    terminal.write(printDifferences(found.differences, terminal));
    if (isInvalid(application)) {
      terminal.writeError(`✖ ${nameOf(application)} is invalid: ${whyText(application)}`);
      return exitCodes.error;
    }
    const differs = found.differences.some(({ kind }) => kind !== 'same');
    return differs && flags['exit-code'] !== false ? exitCodes.drift : exitCodes.ok;
  });
};

export const printDifferences = (differences: readonly ObjectDiff[], { style }: Terminal): string =>
  printDiff(differences, style === noStyle ? noColours : terminalColours);

interface Found {
  readonly differences: readonly ObjectDiff[];
  readonly warnings: readonly string[];
}

/** Undefined if the source cannot be read from this machine; the status is shown instead. */
async function differences(
  client: HttpClient,
  application: Application,
  { flags, environment, terminal }: DiffCall,
): Promise<Found | undefined> {
  if (flags.local !== undefined) {
    const place = sourceFolderAt(flags.local, undefined);
    const { objects, warnings } = await withRenderErrors(undefined, () =>
      compareWithLive(client, {
        app: application.metadata.name,
        appNamespace: application.metadata.namespace ?? '',
        path: place.path,
        tree: folderTree(place.root),
        environment,
        refs: new Map(),
      }),
    );
    return { differences: objects, warnings };
  }
  const revisions = revisionsAsked(application, flags);
  try {
    return await readTargetState(client, application, environment, revisions ? { revisions } : {});
  } catch (error) {
    if (!(error instanceof SourceUnreadable) || revisions) throw error;
    terminal.writeError(`! the source cannot be read from this machine: ${error.message}`);
    return undefined;
  }
}

function asTheControllerSaw(application: Application, { flags, terminal }: DiffCall): number {
  const differing = (application.status?.resources ?? []).filter(({ status }) => status === 'OutOfSync');
  terminal.write(
    `${nameOf(application)} is ${syncWord(application)} in its status: ${whyText(application) || 'no difference'}\n`,
  );
  for (const one of differing) terminal.write(`  ${objectText(one)}${one.requiresPruning ? ' would be pruned' : ''}\n`);
  if (syncWord(application) === 'Unknown') return exitCodes.error;
  return differing.length > 0 && flags['exit-code'] !== false ? exitCodes.drift : exitCodes.ok;
}
