import { type Application, applicationKind } from '@fairlead/api';
import type { HttpClient } from '@fairlead/kube';
import { exitCodes } from '../command-line/command.ts';
import { Complaint } from '../complaint.ts';
import { keyOf, nameOf } from './find.ts';
import { follow } from './follow.ts';
import { timeLimit } from './time-limit.ts';

const annotation = 'argocd.argoproj.io/refresh';

/** The Application after the controller has compared it anew: it takes the annotation away when it has. */
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
  try {
    for await (const now of follow(client, keyOf(application), { signal: limit.signal, pollMs: 500 })) {
      if (!now) throw new Complaint(`${nameOf(application)} was deleted meanwhile`);
      if (now.metadata.annotations?.[annotation] === undefined) return now;
    }
  } finally {
    limit.end();
  }
  throw new Complaint(`${nameOf(application)} was not compared in time: is the controller running?`, {
    code: exitCodes.timeout,
  });
}
