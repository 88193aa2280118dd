import type { ApplicationSource } from '@fairlead/api';
import { asError } from './errors.ts';
import { limitedTree } from './limited-tree.ts';
import { holdsIn, recordingTree, type TreeRecord } from './recording-tree.ts';
import { type FetchRemote, keyOfRemote, remoteOfKey } from './remotes.ts';
import { type RenderContext, Variables, variablesOf } from './render-context.ts';
import { RenderError } from './render-error.ts';
import type { Tree } from './tree.ts';

/** What a render came from: as long as all of this holds, rendering again gives the same, be it manifests or an error. */
export interface Basis {
  /** What was looked at in the source's own tree. */
  readonly record: TreeRecord;
  /** In the trees of other sources, by their refs. */
  readonly refs: ReadonlyMap<string, TreeRecord>;
  /** In what was named by address (`keyOfRemote`); the message where it was refused. */
  readonly remotes: ReadonlyMap<string, TreeRecord | string>;
  /** The variables that options used, with their values. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether templates were rendered, which may ask what the cluster is and has. */
  readonly seesCluster: boolean;
}

/** Notes what one render uses of its tree and of its context. */
export class Recording {
  readonly tree: Tree;
  readonly context: RenderContext;
  readonly variables: Variables;
  seesCluster = false;
  /** Files that could not be had: not the source's fault, and whatever was made without them is no result. */
  disturbance: Error | undefined;
  readonly #own: TreeRecord;
  readonly #refs = new Map<string, TreeRecord>();
  readonly #remotes = new Map<string, TreeRecord | string>();
  readonly #fetched = new Map<string, Promise<Tree>>();

  constructor(source: ApplicationSource, tree: Tree, context: RenderContext) {
    const own = recordingTree(limitedTree(tree));
    this.#own = own.record;
    this.tree = this.#watched(own);
    this.variables = new Variables(variablesOf(source, context));
    const refs = new Map<string, Tree>();
    for (const [name, other] of context.refs ?? []) {
      const recorded = recordingTree(other);
      this.#refs.set(name, recorded.record);
      refs.set(name, this.#watched(recorded));
    }
    const { fetchRemote } = context;
    this.context = { ...context, refs, ...(fetchRemote ? { fetchRemote: this.#recorded(fetchRemote) } : {}) };
  }

  get basis(): Basis {
    return {
      record: this.#own,
      refs: new Map([...this.#refs].filter(([, record]) => !isEmpty(record))),
      remotes: this.#remotes,
      variables: this.variables.used,
      seesCluster: this.seesCluster,
    };
  }

  #recorded(fetchRemote: FetchRemote): FetchRemote {
    const fetch = async (key: string): Promise<Tree> => {
      try {
        const recorded = recordingTree(limitedTree(await fetchRemote(remoteOfKey(key))));
        this.#remotes.set(key, recorded.record);
        return this.#watched(recorded);
      } catch (error) {
        if (error instanceof RenderError) this.#remotes.set(key, error.message);
        throw this.#noted(error);
      }
    };
    return (request) => {
      const key = keyOfRemote(request);
      const known = this.#fetched.get(key) ?? fetch(key);
      this.#fetched.set(key, known);
      return known;
    };
  }

  #watched(tree: Tree): Tree {
    const watch =
      <T>(look: (path: string) => Promise<T>): ((path: string) => Promise<T>) =>
      async (path) => {
        try {
          return await look(path);
        } catch (error) {
          throw this.#noted(error);
        }
      };
    return {
      stat: watch((path) => tree.stat(path)),
      list: watch((path) => tree.list(path)),
      read: watch((path) => tree.read(path)),
    };
  }

  #noted(error: unknown): unknown {
    if (!(error instanceof RenderError)) this.disturbance ??= asError(error);
    return error;
  }
}

/** Whether a render that left this basis would find the same now. */
export async function stillHolds(
  basis: Basis,
  source: ApplicationSource,
  tree: Tree,
  context: RenderContext,
): Promise<boolean> {
  if (basis.variables.size > 0) {
    const values = variablesOf(source, context);
    for (const [name, value] of basis.variables) if ((values[name] ?? '') !== value) return false;
  }
  if (!(await holdsIn(basis.record, tree))) return false;
  for (const [name, record] of basis.refs) {
    const other = context.refs?.get(name);
    if (!other || !(await holdsIn(record, other))) return false;
  }
  for (const [key, found] of basis.remotes) if (!(await remoteHolds(key, found, context.fetchRemote))) return false;
  return true;
}

async function remoteHolds(
  key: string,
  found: TreeRecord | string,
  fetchRemote: FetchRemote | undefined,
): Promise<boolean> {
  if (!fetchRemote) return false;
  try {
    const tree = await fetchRemote(remoteOfKey(key));
    return typeof found !== 'string' && (await holdsIn(found, tree));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return error.message === found;
  }
}

const isEmpty = ({ reads, lists, stats, refusals }: TreeRecord): boolean =>
  reads.size + lists.size + stats.size + refusals.size === 0;
