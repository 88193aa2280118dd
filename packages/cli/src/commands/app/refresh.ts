import { elementAt } from '@fairlead/apimachinery';
import { refuseUnwatched } from '../../applications/cluster/watched-namespaces.ts';
import { refreshed } from '../../applications/operations/refresh.ts';
import { findApplication, keyFrom } from '../../applications/selection/find-application.ts';
import { healthWord, revisionText, stateText, syncWord } from '../../applications/tables/status-text.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appRefresh } from '../../command-line/specs/app.ts';
import { durationFlag } from '../../duration.ts';

/** `fairlead app refresh NAME` */
export const run: Handler<typeof appRefresh> = async (call) => {
  const { flags, args, terminal } = call;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  return withBackend(call, async (backend) => {
    const { client } = backend;
    const before = await findApplication(client, keyFrom(elementAt(args, 0), flags.namespace));
    await refuseUnwatched(client, before);
    const now = await refreshed(backend, before, flags.hard ? 'hard' : 'normal', terminal.stopped(), timeoutMs);
    const { style } = terminal;
    const at = revisionText(now);
    terminal.write(
      `${before.metadata.name} is ${stateText(syncWord(now), style)}${at ? ` with ${at}` : ''}, ${stateText(healthWord(now), style)}\n`,
    );
    return exitCodes.ok;
  });
};
