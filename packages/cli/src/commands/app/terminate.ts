import type { Application } from '@fairlead/api';
import { elementAt, isConflict } from '@fairlead/apimachinery';
import {
  type ApplicationKey,
  findApplication,
  keyFrom,
  keyOf,
  nameOf,
} from '../../applications/selection/find-application.ts';
import { isBusy } from '../../applications/tables/status-text.ts';
import { interrupted, timeLimit } from '../../applications/watch/time-limit.ts';
import { follow } from '../../applications/watch/watch-application.ts';
import type { Backend } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appTerminate } from '../../command-line/specs/app.ts';
import { durationFlag, formatAge } from '../../duration.ts';

/** `fairlead app terminate NAME` */
export const run: Handler<typeof appTerminate> = async (call) => {
  const { flags, args, terminal } = call;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  return withBackend(call, async (backend) => {
    const asked = await terminate(backend, keyFrom(elementAt(args, 0), flags.namespace));
    const name = nameOf(asked);
    if (flags.async) {
      terminal.write(`termination of the sync of ${name} requested\n`);
      return exitCodes.ok;
    }
    const limit = timeLimit(terminal.stopped(), timeoutMs);
    const startedAt = asked.status?.operationState?.startedAt;
    for await (const now of follow(backend.client, keyOf(asked), { signal: limit.signal, pollMs: 500 })) {
      const state = now?.status?.operationState;
      if (now && isBusy(now) && state?.startedAt === startedAt) continue;
      limit.end();
      terminal.write(
        `${terminal.style.good('✔')} the sync of ${name} was terminated${state?.message ? `: ${state.message}` : ''}\n`,
      );
      return exitCodes.ok;
    }
    limit.end();
    if (!limit.expired) return interrupted;
    throw new CliError(
      `timeout: the sync of ${name} was not terminated in ${formatAge(timeoutMs ?? 0)}: see fairlead app explain ${name}`,
      {
        code: exitCodes.timeout,
      },
    );
  });
};

async function terminate(backend: Backend, key: ApplicationKey): Promise<Application> {
  for (let tries = 0; ; tries++) {
    const application = await findApplication(backend.client, key);
    if (!application.operation) throw new CliError(`${nameOf(application)} is not being synced: nothing to terminate`);
    try {
      return await backend.terminateOperation(application);
    } catch (error) {
      if (!isConflict(error) || tries === 5) throw error;
    }
  }
}
