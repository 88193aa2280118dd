import type { Application } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { revisionsAsked } from '../../applications/operations/requested-revisions.ts';
import { findWhole, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import { SourceUnreadable } from '../../applications/sources/target-state.ts';
import { objectText, syncWord, whyText } from '../../applications/tables/status-text.ts';
import { isInvalid } from '../../applications/watch/wait-conditions.ts';
import type { Backend } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appDiff } from '../../command-line/specs/app.ts';
import { noColours, terminalColours } from '../../diff/colours.ts';
import { type ObjectDiff, printDiff } from '../../diff/print-diff.ts';
import { noStyle } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type DiffCall = Call<typeof appDiff.flags>;

/** `fairlead app diff NAME` */
export const run: Handler<typeof appDiff> = async (call) => {
  const { flags, args, terminal } = call;
  return withBackend(call, async (backend) => {
    const application = await findWhole(backend.client, keyFrom(elementAt(args, 0), flags.namespace));
    const found = await differences(backend, application, call);
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
  backend: Backend,
  application: Application,
  { flags, terminal }: DiffCall,
): Promise<Found | undefined> {
  if (flags.local !== undefined) return backend.compareLocal(application, flags.local);
  const revisions = revisionsAsked(application, flags);
  try {
    return await backend.targetState(application, revisions ? { revisions } : {});
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
