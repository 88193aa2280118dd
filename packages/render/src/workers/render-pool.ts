import { availableParallelism } from 'node:os';
import type { ApplicationSource } from '@fairlead/api';
import type { RenderContext } from '../source/render-context.ts';
import type { Rendered, Renderer } from '../source/render-source.ts';
import type { Tree } from '../tree/tree.ts';
import { dropOldest } from '../util/oldest.ts';
import { hintOf, type PreloadHint, preloadFiles } from './preload.ts';
import { poolClosed, RenderThread, type ThreadLimits } from './render-thread.ts';

export interface RenderPoolOptions extends Partial<ThreadLimits> {
  /** How many renders run at a time. The default is the number of processors minus one, between 1 and 4. */
  readonly workers?: number;
}

export interface RenderPool {
  /** Renders in a worker. Waits for a free one. */
  readonly render: Renderer;
  /** How many workers were terminated because a render exceeded a limit. */
  readonly replaced: number;
  /** Terminates the workers. Running renders fail. */
  close(): Promise<void>;
}

/** How many sources have a preload hint. */
const maxHints = 20_000;

/**
 * Renders in worker threads, so that no template can block the process. A render that exceeds its time or memory limit is terminated with
 * its worker, and its error names the limit.
 */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const { workers = Math.max(1, Math.min(4, availableParallelism() - 1)) } = options;
  const limits: ThreadLimits = { timeMs: options.timeMs ?? 20_000, memoryMb: options.memoryMb ?? 512 };
  const idle: RenderThread[] = [];
  const all = new Set<RenderThread>();
  const queue: { resolve: (thread: RenderThread) => void; reject: (error: Error) => void }[] = [];
  const hints = new Map<string, PreloadHint>();
  let replaced = 0;
  let closed = false;

  async function acquire(): Promise<RenderThread> {
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

  function release(thread: RenderThread): void {
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
    const preloaded = await preloadFiles(source, tree, hints.get(key));
    const thread = await acquire();
    try {
      const rendered = await thread.render(source, tree, context, preloaded);
      setHint(key, hintOf(rendered.record));
      return rendered;
    } finally {
      release(thread);
    }
  }

  function setHint(key: string, hint: PreloadHint | undefined): void {
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
