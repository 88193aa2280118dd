import { type Application, applicationKind } from '@fairlead/api';
import { type HttpClient, sleep, systemClock } from '@fairlead/kube';

/** More at once would open as many connections when the machine is busy. */
const atOnce = 32;
const healths = ['Healthy', 'Progressing', 'Degraded'] as const;

/** Writes the status of one Application after the other, at this rate, until the signal aborts. Returns how many were written. */
export async function changeStatuses(
  client: HttpClient,
  applications: readonly Application[],
  perSecond: number,
  signal: AbortSignal,
): Promise<number> {
  const startedAt = Date.now();
  const pending = new Set<Promise<unknown>>();
  let sent = 0;
  for (; !signal.aborted; sent += 1) {
    await sleep(systemClock, Math.max(0, startedAt + (sent * 1_000) / perSecond - Date.now()));
    while (pending.size >= atOnce) await Promise.race(pending);
    const metadata = applications[sent % applications.length]?.metadata;
    const key = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
    const done = client.patch<Application>(applicationKind.type, key, 'merge', {
      status: { health: { status: healths[sent % 3] }, reconciledAt: new Date().toISOString() },
    });
    pending.add(done);
    void done.finally(() => pending.delete(done));
  }
  await Promise.all(pending);
  return sent;
}
