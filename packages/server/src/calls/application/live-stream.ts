import { limits } from '@fairlead/kube';
import type { FoundApplication } from '../../applications/application-access.ts';
import { leaseFor } from '../../live/application-state.ts';
import type { ClusterLease } from '../../live/live-clusters.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';

const open = new WeakMap<Server, number>();

/**
 * Streams from the cluster of an Application. The cluster is kept open as long as the stream is; the signal aborts when the client leaves or
 * the stream ends, so that nothing goes on reading.
 */
export async function* withStreamedLive(
  server: Server,
  { application }: FoundApplication,
  signal: AbortSignal,
  stream: (lease: ClusterLease, signal: AbortSignal) => AsyncGenerator<object>,
): AsyncGenerator<object> {
  const count = open.get(server) ?? 0;
  if (count >= limits.apiTreeStreams)
    throw new RpcError('ResourceExhausted', 'too many streams are open: try again later');
  open.set(server, count + 1);
  const ended = new AbortController();
  let lease: ClusterLease | undefined;
  try {
    lease = await leaseFor(server, application, 'tree');
    if (lease) yield* stream(lease, AbortSignal.any([signal, ended.signal]));
  } finally {
    ended.abort();
    lease?.release();
    open.set(server, (open.get(server) ?? 1) - 1);
  }
}
