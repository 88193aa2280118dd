import type { Application, RevisionHistory } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { refuseUnwatched } from '../../applications/cluster/watched-namespaces.ts';
import { followOperations } from '../../applications/operations/follow-operation.ts';
import { startOperation } from '../../applications/operations/operation.ts';
import { readNumber } from '../../applications/operations/sync-operation.ts';
import { refuseClosedWindow } from '../../applications/operations/sync-window-check.ts';
import { findWhole, keyFrom, keyOf, nameOf } from '../../applications/selection/find-application.ts';
import { SourceUnreadable } from '../../applications/sources/target-state.ts';
import { isAutomated, shortRevision } from '../../applications/tables/status-text.ts';
import type { Backend, OperationRequest } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appRollback } from '../../command-line/specs/app.ts';
import { ageOf, durationFlag } from '../../duration.ts';
import { printDifferences } from './diff.ts';
import { revisionsOf, sourcesIn } from './history.ts';

type RollbackCall = Call<typeof appRollback.flags>;

/** `fairlead app rollback NAME [ID]` */
export const run: Handler<typeof appRollback> = async (call) => {
  const { flags, args, terminal } = call;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  return withBackend(call, async (backend) => {
    const { client } = backend;
    const application = await findWhole(client, keyFrom(elementAt(args, 0), flags.namespace));
    const entry = entryFor(application, args[1]);
    const name = nameOf(application);
    if (isAutomated(application) && !flags['dry-run'])
      throw new CliError(
        `${name} is synced automatically, which would revert a rollback at once: run fairlead app set ${name} --sync-policy manual first`,
      );
    const to = revisionsOf(entry).map(shortRevision).join(', ');
    terminal.write(
      `${name} will be rolled back to ${entry.id}, ${to}, deployed ${ageOf(entry.deployedAt, Date.now())} ago\n`,
    );
    await showImpact(backend, application, entry, call);
    if (flags['dry-run']) return exitCodes.ok;
    await refuseUnwatched(client, application);
    await refuseClosedWindow(client, application, Date.now());
    if (!flags.yes) {
      const answer = await terminal.ask('Continue? [y/N] ');
      if (answer === undefined) throw new CliError('cannot ask for confirmation without a terminal: add --yes');
      if (!/^y(es)?$/iu.test(answer)) {
        terminal.write('nothing was changed\n');
        return exitCodes.error;
      }
    }
    const started = await startOperation(backend, keyOf(application), (now) =>
      rollbackTo(now, entry, flags.prune ?? false),
    );
    if (flags.async) {
      terminal.write(`rollback of ${name} requested: fairlead app wait ${name} --operation waits for it\n`);
      return exitCodes.ok;
    }
    return (await followOperations(client, terminal, [started], { timeoutMs, health: false })).code;
  });
};

/** The sync with the id; without an id, the one before the last. */
export function entryFor(application: Application, id: string | undefined): RevisionHistory {
  const history = application.status?.history ?? [];
  const name = nameOf(application);
  if (id === undefined) {
    const before = history.at(-2);
    if (!before)
      throw new CliError(
        `${name} has ${history.length === 0 ? 'no past sync' : 'only one sync'}: nothing to roll back to`,
      );
    return before;
  }
  const number = readNumber('id', id);
  const found = history.find((entry) => entry.id === number);
  if (found) return found;
  const known = history.map((entry) => entry.id).join(', ');
  throw new CliError(
    `${name} has no past sync ${id}${known ? `, it has ${known}` : ''}: fairlead app history ${name} lists them`,
  );
}

/** The same operation as Argo CD's: the past source at the past revision, without hooks. */
function rollbackTo({ spec }: Application, entry: RevisionHistory, prune: boolean): OperationRequest {
  const { revision, revisions, source, sources } = entry;
  const options = spec.syncPolicy?.syncOptions ?? [];
  return {
    rollbackTo: entry.id,
    sync: {
      ...(sources?.length
        ? { sources, ...(revisions ? { revisions } : {}) }
        : { ...(source ? { source } : {}), revision: revision ?? '' }),
      ...(prune ? { prune: true } : {}),
      syncStrategy: { apply: {} },
      ...(options.length > 0 ? { syncOptions: options } : {}),
    },
  };
}

async function showImpact(
  backend: Backend,
  application: Application,
  entry: RevisionHistory,
  { terminal, flags }: RollbackCall,
): Promise<void> {
  try {
    const request = { sources: sourcesIn(entry), revisions: revisionsOf(entry) };
    const { differences } = await backend.targetState(application, request);
    terminal.write(printDifferences(differences, terminal));
    const pruned = differences.filter(({ kind }) => kind === 'pruned').length;
    if (pruned > 0 && !flags.prune)
      terminal.write(`${pruned} would be kept, though they did not exist then: --prune deletes them\n`);
  } catch (error) {
    if (!(error instanceof SourceUnreadable)) throw error;
    terminal.writeError(`! cannot show the changes: the source cannot be read from this machine: ${error.message}`);
  }
}
