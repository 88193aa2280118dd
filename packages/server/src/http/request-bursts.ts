import type { Serve } from './pipelined-requests.ts';

/** Requests that start in one iteration of the event loop. */
const perIteration = 50;

/** Serves a burst of requests in several iterations of the event loop: timers, streams and other connections do not wait until all have started. */
export function spreadBursts(serve: Serve): Serve {
  const waiting: (() => void)[] = [];
  let started = 0;
  let isScheduled = false;
  const schedule = (): void => {
    isScheduled = true;
    setImmediate(next);
  };
  const next = (): void => {
    const starting = waiting.splice(0, perIteration);
    started = starting.length;
    if (started > 0) schedule();
    else isScheduled = false;
    for (const start of starting) start();
  };
  return (request, response) => {
    if (!isScheduled) schedule();
    if (started >= perIteration) {
      // Who has left meanwhile is not served.
      waiting.push(() => request.socket.destroyed || serve(request, response));
      return;
    }
    started += 1;
    serve(request, response);
  };
}
