import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '@fairlead/kube';

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves the requests of a connection one after the other, as Go does. A client may send more requests before it has read an answer; if all
 * were served at once, the answers would be kept in memory until it reads them.
 */
export function oneAtATime(serve: Serve): Serve {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const start = (): void => {
      response.once('close', next);
      serve(request, response);
    };
    const next = (): void => {
      const following = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (following) following();
      else waiting.delete(socket);
    };
    const before = waiting.get(socket);
    if (before && before.length >= limits.serverPipelinedRequests) return void socket.destroy();
    if (before) return void before.push(start);
    waiting.set(socket, []);
    start();
  };
}
