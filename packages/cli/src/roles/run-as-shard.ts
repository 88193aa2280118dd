import { onAbort, type ShardMember } from '@fairlead/kube';

/**
 * Runs `work` as one of several shards. The caches of the work start once the replica has a share: so they contain everything that others wrote
 * before. It leaves the group after its work has ended, and others take over at once.
 */
export async function runAsShard(
  member: ShardMember,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<{ readonly stopped: Promise<void> }> {
  const leaving = new AbortController();
  const left = member.run(leaving.signal);
  await new Promise<void>((resolve) => {
    const stops = [member.onChange(() => end()), onAbort(signal, () => end())];
    function end(): void {
      if (!member.isSettled && !signal.aborted) return;
      for (const stop of stops) stop();
      resolve();
    }
  });
  const stopped = work(signal).finally(async () => {
    leaving.abort();
    await left;
  });
  return { stopped };
}
