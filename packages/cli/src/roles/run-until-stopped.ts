import type { HttpClient } from '@fairlead/kube';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { exitCodes } from '../command-line/command.ts';
import type { Terminal } from '../terminal/terminal.ts';

type RoleCall = Parameters<typeof onCluster>[0] & { readonly terminal: Terminal };

/** Runs a role on the cluster of its flags until SIGINT or SIGTERM, which may arrive during the start. */
export async function runUntilStopped(
  call: RoleCall,
  work: (client: HttpClient, signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const signal = call.terminal.stopped();
  try {
    await onCluster(call, (client) => work(client, signal));
  } catch (error) {
    if (!isBecauseOf(signal, error)) throw error;
  }
  return exitCodes.ok;
}

function isBecauseOf(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted) return false;
  for (let at = error; at instanceof Error; at = at.cause) if (at === signal.reason) return true;
  return false;
}
