import { elementAt } from '@fairlead/apimachinery';
import { refreshed } from '../../applications/operations/refresh.ts';
import { findApplication, keyFrom, withAllObjects } from '../../applications/selection/find-application.ts';
import { dependencyLines } from '../../applications/tables/dependency-lines.ts';
import { branchLines, treeBranches } from '../../applications/tables/tree-lines.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appGet } from '../../command-line/specs/app.ts';
import { printOne, tableOptions } from '../get.ts';

/** `fairlead app get NAME` */
export const run: Handler<typeof appGet> = async (call) => {
  const { flags, args, terminal } = call;
  return withBackend(call, async (backend) => {
    const { client } = backend;
    const before = await findApplication(client, keyFrom(elementAt(args, 0), flags.namespace));
    const hard = flags['hard-refresh'];
    const latest =
      flags.refresh || hard ? await refreshed(backend, before, hard ? 'hard' : 'normal', terminal.stopped()) : before;
    const application = await withAllObjects(client, latest);
    const table = tableOptions(terminal, flags);
    if (flags.output === 'tree') {
      for (const line of await dependencyLines(client, application, terminal.style)) terminal.write(`${line}\n`);
      for (const line of branchLines(treeBranches(await backend.tree(application), terminal.style)))
        terminal.write(`${line}\n`);
    } else terminal.write(printOne(application, flags.output ?? 'table', table));
    return exitCodes.ok;
  });
};
