import type { ApplicationSource } from '@fairlead/api';
import type { Clock } from '@fairlead/kube';
import { limits } from '@fairlead/kube/limits';
import { SandboxLimitExceeded, type SandboxLimits, SandboxPool } from '@fairlead/kube/sandbox';
import { RenderError } from '../render-error.ts';
import type { Manifest } from '../source/manifest.ts';
import type { RenderContext } from '../source/render-context.ts';
import type { Rendered, Renderer } from '../source/render-source.ts';
import type { Tree } from '../tree/tree.ts';
import { dropOldest } from '../util/oldest.ts';
import { deserializeError } from './error-message.ts';
import { parsePart } from './manifest-parts.ts';
import { hintOf, type PreloadHint, preloadFiles } from './preload.ts';
import { ProjectSlots } from './project-slots.ts';
import type { RenderProtocol } from './protocol.ts';
import { TreeServer } from './tree-server.ts';

export interface RenderPoolOptions extends Partial<SandboxLimits> {
  /** How many renders run at a time. The default is the number of processors minus one, between 1 and 4. */
  readonly workers?: number;
  /** How many more may run for projects that have none running. The default is 4. */
  readonly reserve?: number;
  readonly clock?: Clock;
}

export interface RenderPool {
  /** Renders in a sandbox. Waits for a free one. */
  readonly render: Renderer;
  /** How many renders run now. */
  readonly active: number;
  /** How many sandboxes were ended because a render exceeded a limit. */
  readonly replaced: number;
  /** Ends the sandboxes at once. Running and waiting renders fail. */
  close(): Promise<void>;
}

/** Renders of one project whose files are in memory at the same time, running or next. */
const preloadedPerProject = 8;
/** How many sources have a preload hint. */
const maxHints = 20_000;

/**
 * Renders in sandboxes, so that no template can block this process, read its files or use its credentials. A render that exceeds its limit on
 * CPU time or memory is ended, and its error names the limit. Projects take turns, and none waits for slow renders of another.
 */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const { timeMs = limits.renderCpuMs, memoryMb = limits.renderMemoryBytes / 1024 ** 2 } = options;
  const sandboxes = new SandboxPool<RenderProtocol>({
    ...options,
    entry: new URL('./render-worker.ts', import.meta.url),
    name: 'the render pool',
    timeMs,
    memoryMb,
  });
  const hints = new Map<string, PreloadHint>();
  const slots = new ProjectSlots(preloadedPerProject);

  const render: Renderer = (source, tree, context = {}) =>
    slots.run(context.project ?? '', async () => {
      const key = `${source.repoURL}\n${source.path ?? ''}\n${source.chart ?? ''}`;
      const rendered = await renderInSandbox(source, tree, context, hints.get(key)).catch((error: unknown) => {
        throw explained(error, source);
      });
      setHint(key, hintOf(rendered.record));
      return rendered;
    });

  async function renderInSandbox(
    source: ApplicationSource,
    tree: Tree,
    { refs, fetchRemote, ...context }: RenderContext,
    hint: PreloadHint | undefined,
  ): Promise<Rendered> {
    const trees = new TreeServer(tree, refs, fetchRemote);
    const manifests: Manifest[] = [];
    const { rendered, error } = await sandboxes.run(context.project ?? '', {
      task: {
        source,
        context,
        refs: [...(refs?.keys() ?? [])],
        remotes: fetchRemote !== undefined,
        preloaded: await preloadFiles(source, tree, hint),
      },
      onRequest: (request) => trees.respond(request),
      onPart: (part) => {
        for (const manifest of parsePart(part)) manifests.push(manifest);
      },
    });
    if (trees.readError) throw trees.readError;
    if (error) throw deserializeError(error);
    return { ...rendered, manifests };
  }

  function explained(error: unknown, { path, chart }: ApplicationSource): unknown {
    if (!(error instanceof SandboxLimitExceeded)) return error;
    const what = path || chart || '.';
    return new RenderError(
      'LimitExceeded',
      error.limit === 'time'
        ? `${what}: rendering took longer than the limit of ${timeMs / 1000} s: check its templates for loops, split the source, or raise the limit`
        : `${what}: rendering needs more memory than the limit of ${memoryMb} MiB: check its templates for unbounded growth, split the source, or raise the limit`,
    );
  }

  function setHint(key: string, hint: PreloadHint | undefined): void {
    hints.delete(key);
    if (hint) hints.set(key, hint);
    if (hints.size > maxHints) dropOldest(hints);
  }

  return {
    render,
    get active() {
      return sandboxes.active;
    },
    get replaced() {
      return sandboxes.replaced;
    },
    close: () => sandboxes.close(),
  };
}
