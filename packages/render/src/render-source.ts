import type { ApplicationSource } from '@fairlead/api';
import { renderDirectory } from './directory.ts';
import { renderHelmSource } from './helm-source.ts';
import { renderKustomizeSource } from './kustomize-source.ts';
import { limitedTree } from './limited-tree.ts';
import type { Manifest } from './manifest.ts';
import { recordingTree, type TreeRecord } from './recording-tree.ts';
import { type RenderContext, Variables, variablesOf } from './render-context.ts';
import { RenderError } from './render-error.ts';
import { withOverrides } from './source-overrides.ts';
import { type SourceType, sourceTypeOf } from './source-type.ts';
import { normalizePath, type Tree } from './tree.ts';

export interface Rendered {
  readonly type: SourceType;
  readonly manifests: readonly Manifest[];
  /** What the manifests depend on in the source's own tree. */
  readonly record: TreeRecord;
  /** What they depend on in the trees of other sources, by their refs, and in repositories named by address. */
  readonly refs: ReadonlyMap<string, TreeRecord>;
  readonly remotes: ReadonlyMap<string, TreeRecord>;
  /** The variables that options used, with their values. */
  readonly variables: ReadonlyMap<string, string>;
  /** False where the templates used chance, the time or new certificates: rendering again gives something else. */
  readonly deterministic: boolean;
  /** The functions that did so. */
  readonly nondeterministic: readonly string[];
}

/** Renders a source over a tree, wherever: in this thread, or in a worker. */
export type Renderer = (source: ApplicationSource, tree: Tree, context?: RenderContext) => Promise<Rendered>;

/** What a source describes, in the tree of one of its revisions. */
export const renderSource: Renderer = async (source, tree, context = {}) => {
  const recorded = recordingTree(limitedTree(tree));
  const refs = new Map([...(context.refs ?? [])].map(([name, other]) => [name, recordingTree(other)]));
  const remotes = new Map<string, ReturnType<typeof recordingTree>>();
  const { fetchRemote } = context;
  const recording: RenderContext = {
    ...context,
    refs,
    ...(fetchRemote
      ? {
          async fetchRemote(url) {
            const known = remotes.get(url) ?? recordingTree(await fetchRemote(url));
            remotes.set(url, known);
            return known;
          },
        }
      : {}),
  };
  const path = await folderOf(source, recorded);
  const effective = await withOverrides(source, recorded, path, context.name);
  const variables = new Variables(variablesOf(source, context));
  const type = await sourceTypeOf(effective, recorded, path);
  const { manifests, nondeterministic = [] } = await renderAs[type](
    recorded,
    path,
    effective,
    recording,
    variables,
  ).catch(explainRangeError);
  const recordOf = ([name, { record }]: [string, { record: TreeRecord }]): [string, TreeRecord] => [name, record];
  return {
    type,
    manifests,
    record: recorded.record,
    refs: new Map([...refs].map(recordOf).filter(([, record]) => !isEmpty(record))),
    remotes: new Map([...remotes].map(recordOf)),
    variables: variables.used,
    deterministic: nondeterministic.length === 0,
    nondeterministic,
  };
};

type Render = (
  tree: Tree,
  path: string,
  source: ApplicationSource,
  context: RenderContext,
  variables: Variables,
) => Promise<{ manifests: readonly Manifest[]; nondeterministic?: readonly string[] }>;

const renderAs: Record<SourceType, Render> = {
  Helm: renderHelmSource,
  Kustomize: async (...args) => ({ manifests: await renderKustomizeSource(...args) }),
  Directory: async (tree, path, { directory }, _, variables) => ({
    manifests: await renderDirectory(tree, path, directory, { variables }),
  }),
  async Plugin(_, path) {
    throw new RenderError(
      'Unsupported',
      `${path || '.'} needs a plugin: programs of others are not run: render to plain manifests, or use Helm or Kustomize`,
    );
  },
};

async function folderOf(source: ApplicationSource, tree: Tree): Promise<string> {
  const path = normalizePath(source.chart ? '' : (source.path ?? ''));
  const folder = await tree.stat(path);
  if (!folder)
    throw new RenderError('PathNotFound', `${source.path}: there is no such path in the repository at this revision`);
  if (folder.type !== 'directory')
    throw new RenderError(
      'PathNotFound',
      `${source.path} is a file: name its folder, and the file with directory.include`,
    );
  return path;
}

/** JavaScript's own limits, in the words of one who wrote the source. */
function explainRangeError(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  if (error.message.includes('call stack'))
    throw new RenderError('TooLarge', 'something in the source is nested too deeply, or refers to itself without end');
  throw new RenderError('TooLarge', `something that the source renders is too large: ${error.message}`);
}

const isEmpty = ({ reads, lists, stats }: TreeRecord): boolean => reads.size + lists.size + stats.size === 0;
