import { type Application, applicationKind } from '@fairlead/api';
import { knownAnnotations } from '@fairlead/engine';
import type { HttpClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../command-line/command.ts';
import { keyOf, nameOf } from '../selection/find-application.ts';
import { timeLimit } from '../watch/time-limit.ts';
import { follow } from '../watch/watch-application.ts';

const annotation = knownAnnotations.refresh.name;

/** How long a comparison may take that changes nothing, and so leaves no trace. */
const quietMs = 1_500;

/**
 * The Application after the controller has compared it anew. That the annotation is gone says that it was seen; what came of it is there
 * when the time of the comparison is another, or after a moment when nothing was found to be written.
 */
export async function refreshed(
  client: HttpClient,
  application: Application,
  how: 'normal' | 'hard',
  stopped: AbortSignal,
  timeoutMs = 60_000,
): Promise<Application> {
  await client.patch(applicationKind.type, keyOf(application), 'merge', {
    metadata: { annotations: { [annotation]: how } },
  });
  const limit = timeLimit(stopped, timeoutMs);
  let seen: number | undefined;
  try {
    for await (const now of follow(client, keyOf(application), { signal: limit.signal, pollMs: 500 })) {
      if (!now) throw new CliError(`${nameOf(application)} was deleted meanwhile`);
      if (now.metadata.annotations?.[annotation] !== undefined) continue;
      seen ??= Date.now();
      const compared = now.status?.reconciledAt !== application.status?.reconciledAt;
      if (compared || Date.now() - seen >= quietMs) return now;
    }
  } finally {
    limit.end();
  }
  throw new CliError(`${nameOf(application)} was not compared in time: is the controller running?`, {
    code: exitCodes.timeout,
  });
}
