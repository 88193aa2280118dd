import { type Application, applicationKind } from '@fairlead/api';
import { elementAt, isConflict } from '@fairlead/apimachinery';
import type { HttpClient } from '@fairlead/kube';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
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
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { appTerminate } from '../../command-line/specs/app.ts';
import { durationFlag, formatAge } from '../../duration.ts';

/** `fairlead app terminate NAME` */
export const run: Handler<typeof appTerminate> = async (call) => {
  const { flags, args, terminal } = call;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  return onCluster(call, async (client) => {
    const asked = await terminate(client, keyFrom(elementAt(args, 0), flags.namespace));
    const name = nameOf(asked);
    if (flags.async) {
      terminal.write(`termination of the sync of ${name} requested\n`);
      return exitCodes.ok;
    }
    const limit = timeLimit(terminal.stopped(), timeoutMs);
    const startedAt = asked.status?.operationState?.startedAt;
    for await (const now of follow(client, keyOf(asked), { signal: limit.signal, pollMs: 500 })) {
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

/** The controller reads the phase Terminating, and stops the operation. */
async function terminate(client: HttpClient, key: ApplicationKey): Promise<Application> {
  for (let tries = 0; ; tries++) {
    const application = await findApplication(client, key);
    const { operation, status, metadata } = application;
    if (!operation) throw new CliError(`${nameOf(application)} is not being synced: nothing to terminate`);
    const { resourceVersion } = metadata;
    // A pending operation is simply removed.
    const body = isStarted(application)
      ? {
          metadata: { resourceVersion },
          status: { operationState: { ...status?.operationState, phase: 'Terminating' } },
        }
      : { metadata: { resourceVersion }, operation: null };
    try {
      return await client.patch<Application>(applicationKind.type, keyOf(application), 'merge', body);
    } catch (error) {
      if (!isConflict(error) || tries === 5) throw error;
    }
  }
}

const isStarted = ({ status }: Application): boolean =>
  ['Running', 'Terminating'].includes(status?.operationState?.phase ?? '');
