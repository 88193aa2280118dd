import { once } from 'node:events';
import { isObject } from '@fairlead/apimachinery';

const deadlineMs = 30_000;

export interface Inspected {
  /** The longest delay of the event loop since the last call, without the collection of the last call, in ms. */
  readonly lag: number;
  /** Bytes of the heap that are still in use after a garbage collection. */
  readonly heap: number;
}

/** Reads the figures of the process behind an inspector address. It runs `lag-probe.ts`. */
export async function inspect(url: string): Promise<Inspected> {
  const socket = new WebSocket(url);
  const timer = setTimeout(() => socket.close(), deadlineMs);
  try {
    await opened(socket);
    const takeLag = { expression: 'takeLongestDelay()' };
    const lag = numberAt(await call(socket, 'Runtime.evaluate', takeLag), 'result', 'value');
    await call(socket, 'HeapProfiler.collectGarbage');
    const heap = numberAt(await call(socket, 'Runtime.getHeapUsage'), 'usedSize');
    // The collection has delayed the event loop: that does not count.
    await call(socket, 'Runtime.evaluate', takeLag);
    return { lag, heap };
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

function opened(socket: WebSocket): Promise<unknown> {
  return Promise.race([once(socket, 'open'), closed(socket)]);
}

async function closed(socket: WebSocket): Promise<never> {
  await once(socket, 'close');
  throw new TypeError('the inspector closed the connection');
}

/** The next message is the answer: there is one call at a time, and no domain with events is enabled. */
async function call(socket: WebSocket, method: string, params: object = {}): Promise<unknown> {
  const answer = Promise.race([once(socket, 'message'), closed(socket)]);
  socket.send(JSON.stringify({ id: 1, method, params }));
  const [{ data }] = (await answer) as [{ readonly data: string }];
  const { result, error } = JSON.parse(data) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

function numberAt(answer: unknown, ...path: string[]): number {
  const found = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), answer);
  if (typeof found !== 'number') throw new Error(`unexpected answer of the inspector: ${JSON.stringify(answer)}`);
  return found;
}
