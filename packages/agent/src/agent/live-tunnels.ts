import type { Server } from 'node:http';
import { messageOf } from '@fairlead/apimachinery';
import { type Clock, type Logger, limits, sleep } from '@fairlead/kube';
import { CallDuplex } from '../wire/call-duplex.ts';
import { LiveAccess } from '../wire/gen/tunnel_pb.ts';
import { type ClientCall, GrpcClient, type GrpcClientOptions } from '../wire/grpc-client.ts';
import { methodPath } from '../wire/rpc.ts';

export interface LiveTunnelsOptions {
  readonly connect: GrpcClientOptions;
  /** The present access token. */
  readonly token: () => string;
  /** Serves the requests that come through the tunnels. */
  readonly server: Server;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tunnels that wait for a request, so that it needs no further round trip. */
const spare = 4;
const pingMs = 30_000;
const reconnectMs = 2_000;

/**
 * Keeps tunnels open to the principal until the signal aborts, on a separate connection: the bytes of a log never delay the events of
 * the link.
 */
export async function keepTunnels(options: LiveTunnelsOptions, signal: AbortSignal): Promise<void> {
  const { clock, log } = options;
  while (!signal.aborted) {
    try {
      await serveConnection(options, signal);
    } catch (error) {
      if (!signal.aborted) log.warn('live access is interrupted', { reason: messageOf(error) });
    }
    if (!signal.aborted) await sleep(clock, reconnectMs, signal).catch(() => {});
  }
}

async function serveConnection({ connect, token, server, clock }: LiveTunnelsOptions, signal: AbortSignal) {
  const client = await GrpcClient.connect({ ...connect, windowBytes: 256 * 1024 });
  const closed = new Promise<void>((resolve) => client.onClose(resolve));
  const close = (): void => client.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  let [waiting, open] = [0, 0];
  const fill = (): void => {
    while (!client.closed && waiting < spare && open < limits.agentTunnels + spare) openOne();
  };
  const openOne = (): void => {
    waiting += 1;
    open += 1;
    let duplex: CallDuplex | undefined;
    const call: ClientCall = client.call(
      methodPath(LiveAccess.method.tunnel),
      {
        message: (bytes) => {
          if (!duplex) {
            waiting -= 1;
            duplex = new CallDuplex(call);
            server.emit('connection', duplex);
            fill();
          }
          duplex.receive(bytes);
        },
        tooLarge: () => call.close(),
        ended: (error) => {
          open -= 1;
          if (!duplex) waiting -= 1;
          duplex?.receiveEnd();
          duplex?.destroy();
          // The principal does not accept tunnels now: the connection is opened again, later.
          if (error && !duplex) client.close();
          else fill();
        },
      },
      token(),
    );
  };
  fill();
  const ping = (): void => {
    cancel = clock.after(pingMs, () => client.ping().then(ping, () => client.close()));
  };
  let cancel = (): void => {};
  ping();
  try {
    await closed;
  } finally {
    cancel();
    signal.removeEventListener('abort', close);
  }
}
