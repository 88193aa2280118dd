import type { Application } from '@fairlead/api';
import { knownAnnotations } from '@fairlead/engine';
import type { Backend } from '../../backend/backend.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../command-line/command.ts';
import { keyOf, nameOf } from '../selection/find-application.ts';
import { timeLimit } from '../watch/time-limit.ts';
import { follow } from '../watch/watch-application.ts';

const annotation = knownAnnotations.refresh.name;

/** How long a refresh may take that changes nothing, and so is not visible in status. */
const quietMs = 1_500;

/**
 * Requests a refresh and returns the Application after it. The controller removes the annotation when it starts; the result is there
 * when `reconciledAt` has changed, or after a moment if the refresh changes nothing.
 */
export async function refreshed(
  backend: Backend,
  application: Application,
  how: 'normal' | 'hard',
  stopped: AbortSignal,
  timeoutMs = 60_000,
): Promise<Application> {
  await backend.requestRefresh(application, how);
  const limit = timeLimit(stopped, timeoutMs);
  let seen: number | undefined;
  try {
    for await (const now of follow(backend.client, keyOf(application), { signal: limit.signal, pollMs: 500 })) {
      if (!now) throw new CliError(`${nameOf(application)} was deleted in the meantime`);
      if (now.metadata.annotations?.[annotation] !== undefined) continue;
      seen ??= Date.now();
      const compared = now.status?.reconciledAt !== application.status?.reconciledAt;
      if (compared || Date.now() - seen >= quietMs) return now;
    }
  } finally {
    limit.end();
  }
  throw new CliError(`${nameOf(application)} was not refreshed before the timeout: check that the controller runs`, {
    code: exitCodes.timeout,
  });
}
