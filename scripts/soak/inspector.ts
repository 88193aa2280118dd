import { once } from 'node:events';

const deadlineMs = 30_000;

/** Collects garbage in the process behind an inspector address, and gives the bytes of its heap that are still in use. */
export async function heapAfterCollection(url: string): Promise<number> {
  const socket = new WebSocket(url);
  const timer = setTimeout(() => socket.close(), deadlineMs);
  try {
    await opened(socket);
    await call(socket, 1, 'HeapProfiler.collectGarbage');
    const usage = await call(socket, 2, 'Runtime.getHeapUsage');
    const used = (usage as { readonly usedSize?: unknown }).usedSize;
    if (typeof used !== 'number') throw new Error(`unexpected answer of the inspector: ${JSON.stringify(usage)}`);
    return used;
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
async function call(socket: WebSocket, id: number, method: string): Promise<unknown> {
  const answer = Promise.race([once(socket, 'message'), closed(socket)]);
  socket.send(JSON.stringify({ id, method }));
  const [{ data }] = (await answer) as [{ readonly data: string }];
  const { result, error } = JSON.parse(data) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
