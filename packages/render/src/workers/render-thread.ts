import { Worker } from 'node:worker_threads';
import type { ApplicationSource } from '@fairlead/api';
import { must } from '@fairlead/apimachinery/primitives';
import { asError, messageOf } from '../errors.ts';
import type { Manifest } from '../manifest.ts';
import { remoteOfKey } from '../remotes.ts';
import type { RenderContext } from '../render-context.ts';
import { RenderError } from '../render-error.ts';
import type { Rendered } from '../render-source.ts';
import type { Tree } from '../tree.ts';
import type { FromWorker, Refusal, RenderJob, Shipment, ToWorker, TreeAnswer, TreeQuestion } from './protocol.ts';

export interface ThreadLimits {
  /** How long one render may compute. Waiting for files does not count. */
  readonly timeMs: number;
  /** How much memory it may use. */
  readonly memoryMb: number;
}

/** A render that asks for more files than this is going round in circles. */
const maxQuestions = 200_000;

interface Running {
  readonly trees: Map<string, Tree>;
  readonly fetchRemote: RenderContext['fetchRemote'];
  readonly what: string;
  readonly done: (rendered: Rendered) => void;
  readonly failed: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
  leftMs: number;
  computingSince: number;
  unanswered: number;
  questions: number;
  /** Files that could not be had: that is what the render fails for, whatever it makes of it. */
  disturbance: Error | undefined;
}

/** One worker, and what is asked of it. Not alive any more once a render has hit a limit. */
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
    this.worker.on('exit', () => this.stop(new Error('the worker that rendered has ended')));
  }

  render(source: ApplicationSource, tree: Tree, context: RenderContext, shipment: Shipment): Promise<Rendered> {
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
        unanswered: 0,
        questions: 0,
        disturbance: undefined,
      };
      this.worker.ref();
      const job: RenderJob = {
        type: 'render',
        source,
        context: rest,
        refs: [...refs.keys()],
        remotes: fetchRemote !== undefined,
        shipment,
      };
      this.worker.postMessage(job satisfies ToWorker, [shipment.contents]);
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
    } else if (message.type === 'question') void this.answer(message);
    else if (message.type === 'failed')
      this.finish(({ failed, disturbance }) => failed(disturbance ?? errorOf(message.refusal)));
    else {
      const manifests = JSON.parse(message.manifests) as Manifest[];
      this.finish(({ done, failed, disturbance }) =>
        disturbance ? failed(disturbance) : done({ ...message.rendered, manifests }),
      );
    }
  }

  private async answer(question: TreeQuestion): Promise<void> {
    const { running } = this;
    if (!running) return;
    if (++running.questions > maxQuestions) {
      this.stop(
        new RenderError('LimitExceeded', `${running.what}: the render looked at more than ${maxQuestions} files`),
      );
      return;
    }
    if (running.unanswered++ === 0) this.stopClock(running);
    const answer = await look(running, question);
    if (this.running !== running) return;
    if (--running.unanswered === 0) this.startClock(running);
    this.worker.postMessage(answer satisfies ToWorker);
  }

  private startClock(running: Running): void {
    running.computingSince = performance.now();
    running.timer = setTimeout(() => {
      this.stop(
        new RenderError(
          'LimitExceeded',
          `${running.what}: rendering took longer than the ${this.limits.timeMs / 1000} s that a render may take: look for loops in its templates, split the source, or raise the limit`,
        ),
      );
    }, running.leftMs);
  }

  private stopClock(running: Running): void {
    clearTimeout(running.timer);
    running.leftMs = Math.max(1, running.leftMs - (performance.now() - running.computingSince));
  }

  private finish(tell: (running: Running) => void): void {
    const { running } = this;
    if (!running) return;
    this.running = undefined;
    clearTimeout(running.timer);
    this.worker.unref();
    tell(running);
  }

  /** The worker cannot be trusted to come back: it goes, and with it what it was at. */
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
      `${this.running?.what}: rendering needs more than the ${this.limits.memoryMb} MiB of memory that a render may use: look for templates that grow without end, split the source, or raise the limit`,
    );
  }
}

export const poolClosed = (): Error => new Error('the render pool is closed');

async function look(running: Running, { id, tree, operation, path }: TreeQuestion): Promise<TreeAnswer> {
  try {
    if (operation === 'open') {
      running.trees.set(tree, await must(running.fetchRemote, 'fetchRemote')(remoteOfKey(path)));
      return { type: 'answer', id };
    }
    const value = await must(running.trees.get(tree), `tree ${tree}`)[operation](path);
    // A buffer may be a part of a larger one, all of which would be sent.
    return { type: 'answer', id, value: value instanceof Uint8Array ? new Uint8Array(value) : value };
  } catch (error) {
    if (error instanceof RenderError)
      return { type: 'answer', id, refusal: { reason: error.reason, message: error.message } };
    running.disturbance ??= asError(error);
    return { type: 'answer', id, refusal: { reason: undefined, message: messageOf(error) } };
  }
}

function errorOf({ reason, message, stack, basis }: Refusal): Error {
  if (reason) {
    const refused = new RenderError(reason, message);
    if (basis) refused.basis = basis;
    return refused;
  }
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
