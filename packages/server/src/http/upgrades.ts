import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The connection of a request that wants to change the protocol. */
export interface PendingUpgrade {
  readonly head: Buffer;
  /** The connection, in place of the response. */
  take(): Duplex;
}

const pending = new WeakMap<IncomingMessage, PendingUpgrade>();

export const upgradeOf = (request: IncomingMessage): PendingUpgrade | undefined => pending.get(request);

/** Only these change the protocol; the header of others, such as `h2c`, is ignored. */
export const isUpgrade = ({ headers }: IncomingMessage): boolean =>
  (headers.upgrade ?? '').toLowerCase() === 'websocket';

/** A response for a request that may change the protocol. If it is answered instead, the connection ends after the answer. */
export function responseForUpgrade(request: IncomingMessage, head: Buffer): ServerResponse {
  const { socket } = request;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  const end = (): void => {
    response.detachSocket(socket);
    socket.end();
  };
  response.once('finish', end);
  pending.set(request, {
    head,
    take() {
      response.off('finish', end);
      response.detachSocket(socket);
      return socket;
    },
  });
  return response;
}
