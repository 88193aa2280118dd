import type { ApplicationSource } from '@fairlead/api';
import { renderDirectory } from './directory.ts';
import { renderHelmSource } from './helm-source.ts';
import { renderKustomizeSource } from './kustomize-source.ts';
import type { Manifest } from './manifest.ts';
import { type Basis, Recording } from './recording.ts';
import type { RenderContext, Variables } from './render-context.ts';
import { RenderError } from './render-error.ts';
import { withOverrides } from './source-overrides.ts';
import { type SourceType, sourceTypeOf } from './source-type.ts';
import { normalizePath, type Tree } from './tree.ts';

export interface Rendered extends Basis {
  readonly type: SourceType;
  readonly manifests: readonly Manifest[];
  /** False where the templates used chance, the time or new certificates: rendering again gives something else. */
  readonly deterministic: boolean;
  /** The functions that did so. */
  readonly nondeterministic: readonly string[];
}

/** Renders a source over a tree, wherever: in this thread, or in a worker. */
export type Renderer = (source: ApplicationSource, tree: Tree, context?: RenderContext) => Promise<Rendered>;

/** What a source describes, in the tree of one of its revisions. */
export const renderSource: Renderer = async (source, tree, context = {}) => {
  const recording = new Recording(source, tree, context);
  try {
    const rendered = await renderRecorded(source, recording).catch(explainRangeError);
    if (recording.disturbance) throw recording.disturbance;
    return { ...rendered, ...recording.basis };
  } catch (error) {
    if (recording.disturbance) throw recording.disturbance;
    if (error instanceof RenderError) error.basis = recording.basis;
    throw error;
  }
};

async function renderRecorded(source: ApplicationSource, recording: Recording): Promise<Omit<Rendered, keyof Basis>> {
  const { tree, context, variables } = recording;
  const path = await folderOf(source, tree);
  const effective = await withOverrides(source, tree, path, context.name);
  const type = await sourceTypeOf(effective, tree, path);
  recording.seesCluster = type === 'Helm';
  const used = new Set<string>();
  const notice: Notice = {
    charts: () => {
      recording.seesCluster = true;
    },
    nondeterministic: (functions) => {
      for (const name of functions) used.add(name);
    },
  };
  const manifests = await renderAs[type](tree, path, effective, context, variables, notice);
  return { type, manifests, deterministic: used.size === 0, nondeterministic: [...used].sort() };
}

/** What an engine tells of besides its manifests. */
export interface Notice {
  /** Templates of charts are rendered. */
  charts(): void;
  nondeterministic(functions: readonly string[]): void;
}

type Render = (
  tree: Tree,
  path: string,
  source: ApplicationSource,
  context: RenderContext,
  variables: Variables,
  notice: Notice,
) => Promise<readonly Manifest[]>;

const renderAs: Record<SourceType, Render> = {
  Helm: renderHelmSource,
  Kustomize: renderKustomizeSource,
  Directory: (tree, path, { directory }, _, variables) => renderDirectory(tree, path, directory, { variables }),
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
