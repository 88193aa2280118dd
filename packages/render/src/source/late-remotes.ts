import { getOrCreate } from '@fairlead/apimachinery/primitives';
import type { Tree } from '../tree/tree.ts';
import { type FetchRemote, keyOfRemote } from './remotes.ts';
import type { Renderer } from './render-source.ts';

/** How long a render waits for a remote. */
const patienceMs = 250;

/** Ends a render whose remote is not available yet. */
class RemoteIsLate extends Error {
  constructor() {
    super('the render starts again when its remote is there');
    this.name = 'RemoteIsLate';
  }
}

/**
 * Ends a render that waits for a remote base, chart or file, and starts it again when the remote is available: a server that never responds
 * holds no render worker. Fetched content is not fetched again.
 */
export function withoutWaitingForRemotes(render: Renderer): Renderer {
  return async (source, tree, context = {}) => {
    const { fetchRemote } = context;
    if (!fetchRemote) return render(source, tree, context);
    const fetched = new Map<string, Promise<Tree>>();
    for (;;) {
      let late: Promise<Tree> | undefined;
      const fetchQuickly: FetchRemote = async (request) => {
        const remote = getOrCreate(fetched, keyOfRemote(request), () => fetchRemote(request));
        if (await settlesInTime(remote)) return remote;
        late ??= remote;
        throw new RemoteIsLate();
      };
      try {
        const rendered = await render(source, tree, { ...context, fetchRemote: fetchQuickly });
        if (!late) return rendered;
      } catch (error) {
        if (!late) throw error;
      }
      // If it failed, the next render reports it.
      await late.catch(() => {});
    }
  };
}

function settlesInTime(promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs);
    const settled = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}
