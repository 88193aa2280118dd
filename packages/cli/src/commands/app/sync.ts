import { elementAt } from '@fairlead/apimachinery';
import { refuseUnwatched } from '../../applications/cluster/watched-namespaces.ts';
import { followOperations } from '../../applications/operations/follow-operation.ts';
import { startOperation } from '../../applications/operations/operation.ts';
import { syncOperation } from '../../applications/operations/sync-operation.ts';
import { refuseClosedWindow } from '../../applications/operations/sync-window-check.ts';
import { chooseApplications, keyOf, nameOf } from '../../applications/selection/find-application.ts';
import { refuseLocal } from '../../applications/sources/local-manifests.ts';
import { printObject } from '../../applications/tables/print-object.ts';
import { withBackend } from '../../backend/with-backend.ts';
import type { Handler } from '../../command-line/command.ts';
import type { appSync } from '../../command-line/specs/app.ts';
import { durationFlag } from '../../duration.ts';
import { quietTerminal } from '../../terminal/quiet.ts';

/** `fairlead app sync NAME…` */
export const run: Handler<typeof appSync> = async (call) => {
  const { flags, args, terminal } = call;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  return withBackend(call, async (backend) => {
    const { client } = backend;
    const chosen = await chooseApplications(client, args, flags);
    refuseLocal(chosen, flags);
    // Build all operations before starting one: a flag that is invalid for one Application starts none.
    for (const application of chosen) {
      syncOperation(application, flags);
      await refuseUnwatched(client, application);
      await refuseClosedWindow(client, application, Date.now());
    }
    const local = flags.local === undefined ? undefined : await backend.renderLocal(elementAt(chosen, 0), flags.local);
    const started = [];
    for (const application of chosen)
      started.push(await startOperation(backend, keyOf(application), (now) => syncOperation(now, flags, local)));
    if (flags.async) {
      for (const { application } of started)
        terminal.write(
          `sync of ${nameOf(application)} requested: fairlead app wait ${nameOf(application)} waits for it\n`,
        );
      return 0;
    }
    const shown = flags.output ? quietTerminal(terminal) : terminal;
    const { code, applications } = await followOperations(client, shown, started, {
      timeoutMs,
      health: flags.health ?? false,
    });
    for (const application of applications) if (flags.output) terminal.write(printObject(application, flags.output));
    return code;
  });
};
