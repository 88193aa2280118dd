import { availableParallelism } from 'node:os';
import type { ApplicationSource } from '@fairlead/api';
import { dropOldest } from '../oldest.ts';
import type { RenderContext } from '../render-context.ts';
import type { Rendered, Renderer } from '../render-source.ts';
import type { Tree } from '../tree.ts';
import { poolClosed, RenderThread, type ThreadLimits } from './render-thread.ts';
import { type Hint, hintOf, packShipment } from './shipment.ts';

export interface RenderPoolOptions extends Partial<ThreadLimits> {
  /** How many renders run at a time; one less than there are processors unless told, and at most four. */
  readonly workers?: number;
}

export interface RenderPool {
  /** Renders in a worker. Waits its turn where all are busy. */
  readonly render: Renderer;
  /** How many workers were ended because a render hit a limit. */
  readonly replaced: number;
  /** Ends the workers. Renders under way fail. */
  close(): Promise<void>;
}

/** Sources whose last render's paths are remembered. */
const maxHints = 20_000;

/**
 * Renders in worker threads, so that no source can hold up the process, whatever its templates do: a render has so much time and so much
 * memory, and one that wants more is ended with its worker, and told which limit it was.
 */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const { workers = Math.max(1, Math.min(4, availableParallelism() - 1)) } = options;
  const limits: ThreadLimits = { timeMs: options.timeMs ?? 20_000, memoryMb: options.memoryMb ?? 512 };
  const idle: RenderThread[] = [];
  const all = new Set<RenderThread>();
  const queue: { resolve: (thread: RenderThread) => void; reject: (error: Error) => void }[] = [];
  const hints = new Map<string, Hint>();
  let replaced = 0;
  let closed = false;

  async function take(): Promise<RenderThread> {
    if (closed) throw poolClosed();
    const free = idle.pop();
    if (free) return free;
    if (all.size < workers) return start();
    return new Promise((resolve, reject) => queue.push({ resolve, reject }));
  }

  function start(): RenderThread {
    const thread = new RenderThread(limits);
    all.add(thread);
    return thread;
  }

  function giveBack(thread: RenderThread): void {
    let next = thread;
    if (!thread.alive) {
      all.delete(thread);
      replaced += 1;
      if (closed || (queue.length === 0 && idle.length > 0)) return;
      next = start();
    }
    const waiting = queue.shift();
    if (waiting) waiting.resolve(next);
    else idle.push(next);
  }

  async function render(source: ApplicationSource, tree: Tree, context: RenderContext = {}): Promise<Rendered> {
    const key = `${source.repoURL}\n${source.path ?? ''}\n${source.chart ?? ''}`;
    const shipment = await packShipment(source, tree, hints.get(key));
    const thread = await take();
    try {
      const rendered = await thread.render(source, tree, context, shipment);
      remember(key, hintOf(rendered.record));
      return rendered;
    } finally {
      giveBack(thread);
    }
  }

  function remember(key: string, hint: Hint | undefined): void {
    hints.delete(key);
    if (hint) hints.set(key, hint);
    if (hints.size > maxHints) dropOldest(hints);
  }

  return {
    render,
    get replaced() {
      return replaced;
    },
    async close() {
      closed = true;
      for (const { reject } of queue.splice(0)) reject(poolClosed());
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
