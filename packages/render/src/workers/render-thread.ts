import { Worker } from 'node:worker_threads';
import type { ApplicationSource } from '@fairlead/api';
import { must } from '@fairlead/apimachinery/primitives';
import { RenderError } from '../render-error.ts';
import type { Manifest } from '../source/manifest.ts';
import { remoteOfKey } from '../source/remotes.ts';
import type { RenderContext } from '../source/render-context.ts';
import type { Rendered } from '../source/render-source.ts';
import type { Tree } from '../tree/tree.ts';
import { asError, messageOf } from '../util/errors.ts';
import type {
  FromWorker,
  PreloadedFiles,
  RenderJob,
  SerializedError,
  ToWorker,
  TreeRequest,
  TreeResponse,
} from './protocol.ts';

export interface ThreadLimits {
  /** How long one render may compute. Time spent waiting for files does not count. */
  readonly timeMs: number;
  /** How much memory it may use. */
  readonly memoryMb: number;
}

/** A render that requests more files than this is probably in a loop. */
const maxRequests = 200_000;

interface Running {
  readonly trees: Map<string, Tree>;
  readonly fetchRemote: RenderContext['fetchRemote'];
  readonly what: string;
  readonly done: (rendered: Rendered) => void;
  readonly failed: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
  leftMs: number;
  computingSince: number;
  pending: number;
  requests: number;
  /** A tree failed. The render fails with this error, whatever its own outcome is. */
  readError: Error | undefined;
}

/** One worker thread. No longer alive once a render has exceeded a limit. */
export class RenderThread {
  alive = true;
  private ready = false;
  private readonly worker: Worker;
  private readonly limits: ThreadLimits;
  private running: Running | undefined;

  constructor(limits: ThreadLimits) {
    this.limits = limits;
    this.worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 64 },
    });
    this.worker.unref();
    this.worker.on('message', (message: FromWorker) => this.receive(message));
    this.worker.on('error', (error) => this.stop(this.explained(error)));
    this.worker.on('exit', () => this.stop(new Error('the render worker exited')));
  }

  render(source: ApplicationSource, tree: Tree, context: RenderContext, preloaded: PreloadedFiles): Promise<Rendered> {
    const { refs = new Map<string, Tree>(), fetchRemote, ...rest } = context;
    const trees = new Map([['', tree], ...[...refs].map(([name, other]): [string, Tree] => [`$${name}`, other])]);
    return new Promise((done, failed) => {
      this.running = {
        trees,
        fetchRemote,
        what: source.path || source.chart || '.',
        done,
        failed,
        timer: undefined,
        leftMs: this.limits.timeMs,
        computingSince: 0,
        pending: 0,
        requests: 0,
        readError: undefined,
      };
      this.worker.ref();
      const job: RenderJob = {
        type: 'render',
        source,
        context: rest,
        refs: [...refs.keys()],
        remotes: fetchRemote !== undefined,
        preloaded,
      };
      this.worker.postMessage(job satisfies ToWorker, [preloaded.contents]);
      if (this.ready) this.startClock(this.running);
    });
  }

  async end(): Promise<void> {
    this.stop(poolClosed());
    await this.worker.terminate();
  }

  private receive(message: FromWorker): void {
    if (message.type === 'ready') {
      this.ready = true;
      if (this.running) this.startClock(this.running);
    } else if (message.type === 'request') void this.respond(message);
    else if (message.type === 'failed')
      this.finish(({ failed, readError }) => failed(readError ?? deserializeError(message.error)));
    else {
      const manifests = JSON.parse(message.manifests) as Manifest[];
      this.finish(({ done, failed, readError }) =>
        readError ? failed(readError) : done({ ...message.rendered, manifests }),
      );
    }
  }

  private async respond(request: TreeRequest): Promise<void> {
    const { running } = this;
    if (!running) return;
    if (++running.requests > maxRequests) {
      this.stop(
        new RenderError(
          'LimitExceeded',
          `${running.what}: the render read more than ${maxRequests} files and folders: split the source`,
        ),
      );
      return;
    }
    if (running.pending++ === 0) this.stopClock(running);
    const response = await responseTo(running, request);
    if (this.running !== running) return;
    if (--running.pending === 0) this.startClock(running);
    this.worker.postMessage(response satisfies ToWorker);
  }

  private startClock(running: Running): void {
    running.computingSince = performance.now();
    running.timer = setTimeout(() => {
      this.stop(
        new RenderError(
          'LimitExceeded',
          `${running.what}: rendering took longer than the limit of ${this.limits.timeMs / 1000} s: check its templates for loops, split the source, or raise the limit`,
        ),
      );
    }, running.leftMs);
  }

  private stopClock(running: Running): void {
    clearTimeout(running.timer);
    running.leftMs = Math.max(1, running.leftMs - (performance.now() - running.computingSince));
  }

  private finish(settle: (running: Running) => void): void {
    const { running } = this;
    if (!running) return;
    this.running = undefined;
    clearTimeout(running.timer);
    this.worker.unref();
    settle(running);
  }

  /** Terminates the worker, which may never respond, and fails its render. */
  private stop(error: Error): void {
    if (!this.alive) return;
    this.alive = false;
    void this.worker.terminate();
    this.finish(({ failed }) => failed(error));
  }

  private explained(error: Error): Error {
    if (!('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')) return error;
    return new RenderError(
      'LimitExceeded',
      `${this.running?.what}: rendering needs more memory than the limit of ${this.limits.memoryMb} MiB: check its templates for unbounded growth, split the source, or raise the limit`,
    );
  }
}

export const poolClosed = (): Error => new Error('the render pool is closed');

async function responseTo(running: Running, { id, tree, operation, path }: TreeRequest): Promise<TreeResponse> {
  try {
    if (operation === 'open') {
      running.trees.set(tree, await must(running.fetchRemote, 'fetchRemote')(remoteOfKey(path)));
      return { type: 'response', id };
    }
    const value = await must(running.trees.get(tree), `tree ${tree}`)[operation](path);
    // A Buffer may be a view of a larger one, all of which would be sent.
    return { type: 'response', id, value: value instanceof Uint8Array ? new Uint8Array(value) : value };
  } catch (error) {
    if (error instanceof RenderError)
      return { type: 'response', id, error: { reason: error.reason, message: error.message } };
    running.readError ??= asError(error);
    return { type: 'response', id, error: { reason: undefined, message: messageOf(error) } };
  }
}

function deserializeError({ reason, message, stack, inputs }: SerializedError): Error {
  if (reason) {
    const failure = new RenderError(reason, message);
    if (inputs) failure.inputs = inputs;
    return failure;
  }
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
