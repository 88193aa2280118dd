/** The thread that renders: one job at a time, files asked of the thread that started it. */
import { parentPort } from 'node:worker_threads';
import { must } from '@fairlead/apimachinery/primitives';
import { keyOfRemote } from '../remotes.ts';
import type { RenderContext } from '../render-context.ts';
import { RenderError } from '../render-error.ts';
import { renderSource } from '../render-source.ts';
import { type Ask, askingTree } from './asking-tree.ts';
import type { FromWorker, Refusal, RenderJob, ToWorker, TreeAnswer, TreeName } from './protocol.ts';

const port = must(parentPort, 'the thread that started this one');
const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
let questions = 0;

const send = (message: FromWorker): void => port.postMessage(message);

const asking =
  (tree: TreeName): Ask =>
  (operation, path) =>
    new Promise((resolve, reject) => {
      const id = ++questions;
      waiting.set(id, { resolve, reject });
      send({ type: 'question', id, tree, operation, path });
    });

port.on('message', (message: ToWorker) => {
  if (message.type === 'answer') answered(message);
  else void run(message);
});

send({ type: 'ready' });

function answered({ id, value, refusal }: TreeAnswer): void {
  const { resolve, reject } = must(waiting.get(id), `question ${id}`);
  waiting.delete(id);
  if (refusal) reject(refusal.reason ? new RenderError(refusal.reason, refusal.message) : new Error(refusal.message));
  else resolve(value);
}

async function run({ source, context, refs, remotes, shipment }: RenderJob): Promise<void> {
  try {
    const whole: RenderContext = {
      ...context,
      refs: new Map(refs.map((name) => [name, askingTree(asking(`$${name}`))])),
      ...(remotes
        ? {
            async fetchRemote(request) {
              const key = keyOfRemote(request);
              await asking(key)('open', key);
              return askingTree(asking(key));
            },
          }
        : {}),
    };
    const { manifests, ...rendered } = await renderSource(source, askingTree(asking(''), shipment), whole);
    send({ type: 'done', rendered, manifests: JSON.stringify(manifests) });
  } catch (error) {
    send({ type: 'failed', refusal: refusalOf(error) });
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof RenderError) {
    const { reason, message, basis } = error;
    return { reason, message, ...(basis ? { basis } : {}) };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { reason: undefined, message, ...(stack === undefined ? {} : { stack }) };
}
