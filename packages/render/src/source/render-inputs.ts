import type { ApplicationSource } from '@fairlead/api';
import { RenderError } from '../render-error.ts';
import { limitedTree } from '../tree/limited-tree.ts';
import { isUnchangedIn, recordingTree, type TreeRecord } from '../tree/recording-tree.ts';
import type { Tree } from '../tree/tree.ts';
import { asError } from '../util/errors.ts';
import { type FetchRemote, keyOfRemote, remoteOfKey } from './remotes.ts';
import { type RenderContext, Variables, variablesOf } from './render-context.ts';

/** Everything that a render depended on. While it is unchanged, a render gives the same manifests or the same error. */
export interface RenderInputs {
  /** The reads of the source's own tree. */
  readonly record: TreeRecord;
  /** The reads of other sources' trees, by their refs. */
  readonly refs: ReadonlyMap<string, TreeRecord>;
  /** The reads of remotes, by `keyOfRemote`; the message of the error if fetching one failed. */
  readonly remotes: ReadonlyMap<string, TreeRecord | string>;
  /** The variables that the options used, with their values. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether charts were rendered, which may depend on the version and APIs of the cluster. */
  readonly usesCluster: boolean;
}

/** Records what one render uses of its tree and its context. */
export class InputRecorder {
  readonly tree: Tree;
  readonly context: RenderContext;
  readonly variables: Variables;
  usesCluster = false;
  /** A tree could not be read. This is not the source's fault, and the outcome of the render is not valid. */
  readError: Error | undefined;
  readonly #own: TreeRecord;
  readonly #refs = new Map<string, TreeRecord>();
  readonly #remotes = new Map<string, TreeRecord | string>();
  readonly #fetched = new Map<string, Promise<Tree>>();

  constructor(source: ApplicationSource, tree: Tree, context: RenderContext) {
    const own = recordingTree(limitedTree(tree));
    this.#own = own.record;
    this.tree = this.#guarded(own);
    this.variables = new Variables(variablesOf(source, context));
    const refs = new Map<string, Tree>();
    for (const [name, other] of context.refs ?? []) {
      const recorded = recordingTree(other);
      this.#refs.set(name, recorded.record);
      refs.set(name, this.#guarded(recorded));
    }
    const { fetchRemote } = context;
    this.context = { ...context, refs, ...(fetchRemote ? { fetchRemote: this.#recorded(fetchRemote) } : {}) };
  }

  get inputs(): RenderInputs {
    return {
      record: this.#own,
      refs: new Map([...this.#refs].filter(([, record]) => !isEmpty(record))),
      remotes: this.#remotes,
      variables: this.variables.used,
      usesCluster: this.usesCluster,
    };
  }

  #recorded(fetchRemote: FetchRemote): FetchRemote {
    const fetch = async (key: string): Promise<Tree> => {
      try {
        const recorded = recordingTree(limitedTree(await fetchRemote(remoteOfKey(key))));
        this.#remotes.set(key, recorded.record);
        return this.#guarded(recorded);
      } catch (error) {
        if (error instanceof RenderError) this.#remotes.set(key, error.message);
        throw this.#noteError(error);
      }
    };
    return (request) => {
      const key = keyOfRemote(request);
      const known = this.#fetched.get(key) ?? fetch(key);
      this.#fetched.set(key, known);
      return known;
    };
  }

  #guarded(tree: Tree): Tree {
    const guard =
      <T>(operation: (path: string) => Promise<T>): ((path: string) => Promise<T>) =>
      async (path) => {
        try {
          return await operation(path);
        } catch (error) {
          throw this.#noteError(error);
        }
      };
    return {
      stat: guard((path) => tree.stat(path)),
      list: guard((path) => tree.list(path)),
      read: guard((path) => tree.read(path)),
    };
  }

  #noteError(error: unknown): unknown {
    if (!(error instanceof RenderError)) this.readError ??= asError(error);
    return error;
  }
}

/** Whether a render with these inputs would read the same now. */
export async function inputsUnchanged(
  inputs: RenderInputs,
  source: ApplicationSource,
  tree: Tree,
  context: RenderContext,
): Promise<boolean> {
  if (inputs.variables.size > 0) {
    const values = variablesOf(source, context);
    for (const [name, value] of inputs.variables) if ((values[name] ?? '') !== value) return false;
  }
  if (!(await isUnchangedIn(inputs.record, tree))) return false;
  for (const [name, record] of inputs.refs) {
    const other = context.refs?.get(name);
    if (!other || !(await isUnchangedIn(record, other))) return false;
  }
  for (const [key, found] of inputs.remotes)
    if (!(await isRemoteUnchanged(key, found, context.fetchRemote))) return false;
  return true;
}

async function isRemoteUnchanged(
  key: string,
  found: TreeRecord | string,
  fetchRemote: FetchRemote | undefined,
): Promise<boolean> {
  if (!fetchRemote) return false;
  try {
    const tree = await fetchRemote(remoteOfKey(key));
    return typeof found !== 'string' && (await isUnchangedIn(found, tree));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return error.message === found;
  }
}

const isEmpty = ({ reads, lists, stats, errors }: TreeRecord): boolean =>
  reads.size + lists.size + stats.size + errors.size === 0;
