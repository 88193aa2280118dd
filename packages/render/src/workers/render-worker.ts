/** The worker thread: renders one job at a time, and requests files from the thread that started it. */
import { parentPort } from 'node:worker_threads';
import { must } from '@fairlead/apimachinery/primitives';
import { RenderError } from '../render-error.ts';
import { keyOfRemote } from '../source/remotes.ts';
import type { RenderContext } from '../source/render-context.ts';
import { renderSource } from '../source/render-source.ts';
import { asError } from '../util/errors.ts';
import type { FromWorker, RenderJob, SerializedError, ToWorker, TreeName, TreeResponse } from './protocol.ts';
import { proxyTree, type RequestTree } from './proxy-tree.ts';

interface PendingRequest {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const port = must(parentPort, 'the parent thread');
const pending = new Map<number, PendingRequest>();
let requests = 0;

const send = (message: FromWorker): void => port.postMessage(message);

const requestsOf =
  (tree: TreeName): RequestTree =>
  (operation, path) =>
    new Promise((resolve, reject) => {
      const id = ++requests;
      pending.set(id, { resolve, reject });
      send({ type: 'request', id, tree, operation, path });
    });

port.on('message', (message: ToWorker) => {
  if (message.type === 'response') receive(message);
  else void run(message);
});

send({ type: 'ready' });

function receive({ id, value, error }: TreeResponse): void {
  const { resolve, reject } = must(pending.get(id), `request ${id}`);
  pending.delete(id);
  if (error) reject(error.reason ? new RenderError(error.reason, error.message) : new Error(error.message));
  else resolve(value);
}

async function run({ source, context, refs, remotes, preloaded }: RenderJob): Promise<void> {
  try {
    const whole: RenderContext = {
      ...context,
      refs: new Map(refs.map((name) => [name, proxyTree(requestsOf(`$${name}`))])),
      ...(remotes
        ? {
            async fetchRemote(request) {
              const key = keyOfRemote(request);
              await requestsOf(key)('open', key);
              return proxyTree(requestsOf(key));
            },
          }
        : {}),
    };
    const { manifests, ...rendered } = await renderSource(source, proxyTree(requestsOf(''), preloaded), whole);
    send({ type: 'done', rendered, manifests: JSON.stringify(manifests) });
  } catch (error) {
    send({ type: 'failed', error: serializeError(error) });
  }
}

function serializeError(error: unknown): SerializedError {
  if (error instanceof RenderError) {
    const { reason, message, inputs } = error;
    return { reason, message, ...(inputs ? { inputs } : {}) };
  }
  const { message, stack } = asError(error);
  return { reason: undefined, message, ...(stack === undefined ? {} : { stack }) };
}
