import { must } from '@fairlead/apimachinery/primitives';
import { formatLimit, limits, limitTable } from '@fairlead/kube/limits';
import { RenderError } from '../render-error.ts';
import { remoteOfKey } from '../source/remotes.ts';
import type { RenderContext } from '../source/render-context.ts';
import type { Tree } from '../tree/tree.ts';
import { asError, messageOf } from '../util/errors.ts';
import type { TreeName, TreeRequest, TreeResponse } from './protocol.ts';

/** Reads files for a render in a sandbox. */
export class TreeServer {
  readonly #trees: Map<TreeName, Tree>;
  readonly #fetchRemote: RenderContext['fetchRemote'];
  #requests = 0;
  /** A tree failed. The render fails with this error, regardless of the result of the render. */
  readError: Error | undefined;

  constructor(tree: Tree, refs: RenderContext['refs'], fetchRemote: RenderContext['fetchRemote']) {
    this.#trees = new Map([
      ['', tree],
      ...[...(refs ?? [])].map(([name, other]): [string, Tree] => [`$${name}`, other]),
    ]);
    this.#fetchRemote = fetchRemote;
  }

  /** Throws if the render requests so much that it is probably in a loop. */
  async respond({ tree, operation, path }: TreeRequest): Promise<TreeResponse> {
    if (++this.#requests > limits.renderReads)
      throw new RenderError(
        'LimitExceeded',
        `the render read more than ${formatLimit(limitTable.renderReads)} files and folders: split the source`,
      );
    try {
      if (operation === 'open') {
        this.#trees.set(tree, await must(this.#fetchRemote, 'fetchRemote')(remoteOfKey(path)));
        return {};
      }
      const value = await must(this.#trees.get(tree), `tree ${tree}`)[operation](path);
      // A Buffer may be a view of a larger one, all of which would be sent.
      return { value: value instanceof Uint8Array ? new Uint8Array(value) : value };
    } catch (error) {
      if (error instanceof RenderError) return { error: { reason: error.reason, message: error.message } };
      this.readError ??= asError(error);
      return { error: { reason: undefined, message: messageOf(error) } };
    }
  }
}
