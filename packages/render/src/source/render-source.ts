import type { ApplicationSource } from '@fairlead/api';
import { formatLimit, limits, limitTable } from '@fairlead/kube/limits';
import { RenderError } from '../render-error.ts';
import { normalizePath, type Tree } from '../tree/tree.ts';
import { renderDirectory } from './directory-source.ts';
import { renderHelmSource } from './helm-source.ts';
import { renderKustomizeSource } from './kustomize-source.ts';
import type { Manifest } from './manifest.ts';
import type { RenderContext, Variables } from './render-context.ts';
import { InputRecorder, type RenderInputs } from './render-inputs.ts';
import { withOverrides } from './source-overrides.ts';
import { type SourceType, sourceTypeOf } from './source-type.ts';

export interface Rendered extends RenderInputs {
  readonly type: SourceType;
  readonly manifests: readonly Manifest[];
  /** False if the templates used randomness, the time or new certificates, so that another render differs. */
  readonly deterministic: boolean;
  /** The functions that made it so. */
  readonly nondeterministic: readonly string[];
}

/** Renders a source over a tree, in this thread or in a worker. */
export type Renderer = (source: ApplicationSource, tree: Tree, context?: RenderContext) => Promise<Rendered>;

/** Renders in this thread. */
export const renderSource: Renderer = async (source, tree, context = {}) => {
  const recording = new InputRecorder(source, tree, context);
  try {
    const rendered = await renderRecorded(source, recording).catch(explainRangeError);
    if (recording.readError) throw recording.readError;
    return { ...rendered, ...recording.inputs };
  } catch (error) {
    if (recording.readError) throw recording.readError;
    if (error instanceof RenderError) error.inputs = recording.inputs;
    throw error;
  }
};

async function renderRecorded(
  source: ApplicationSource,
  recording: InputRecorder,
): Promise<Omit<Rendered, keyof RenderInputs>> {
  const { tree, context, variables } = recording;
  const path = await sourceFolder(source, tree);
  const effective = await withOverrides(source, tree, path, context.name);
  const found = await sourceTypeOf(effective, tree, path);
  const type = context.disabledTypes?.some((disabled) => disabled === found) ? 'Directory' : found;
  recording.usesCluster = type === 'Helm';
  const used = new Set<string>();
  const observer: RenderObserver = {
    charts: () => {
      recording.usesCluster = true;
    },
    nondeterministic: (functions) => {
      for (const name of functions) used.add(name);
    },
  };
  const manifests = await renderAs[type](tree, path, effective, context, variables, observer);
  if (manifests.length > limits.renderObjects)
    throw new RenderError(
      'TooLarge',
      `the source renders to ${manifests.length} objects, and the limit is ${formatLimit(limitTable.renderObjects)}: split it into several Applications`,
    );
  return { type, manifests, deterministic: used.size === 0, nondeterministic: [...used].sort() };
}

/** Receives what a render reports in addition to its manifests. */
export interface RenderObserver {
  /** A chart is rendered. */
  charts(): void;
  nondeterministic(functions: readonly string[]): void;
}

type Render = (
  tree: Tree,
  path: string,
  source: ApplicationSource,
  context: RenderContext,
  variables: Variables,
  observer: RenderObserver,
) => Promise<readonly Manifest[]>;

const renderAs: Record<SourceType, Render> = {
  Helm: renderHelmSource,
  Kustomize: renderKustomizeSource,
  Directory: (tree, path, { directory }, { disabledTypes = [] }, variables) =>
    renderDirectory(tree, path, directory, { variables, withoutJsonnet: disabledTypes.includes('Jsonnet') }),
  async Plugin(_, path) {
    throw new RenderError(
      'Unsupported',
      `${path || '.'}: config management plugins are off. Start the controller and the server with --plugins FOLDER.`,
    );
  },
};

function insideRoot(written: string): string {
  if (written.startsWith('/')) throw new RenderError('PathOutsideTree', `${written}: app path is absolute`);
  try {
    return normalizePath(written);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new RenderError(error.reason, `${written}: app path outside root`);
  }
}

/** The folder of a source. Throws if the tree has no such folder. */
export async function sourceFolder(source: ApplicationSource, tree: Tree): Promise<string> {
  const written = source.chart ? '' : (source.path ?? '');
  const path = insideRoot(written);
  const folder = await tree.stat(path);
  if (!folder) throw new RenderError('PathNotFound', `${written}: app path does not exist`);
  if (folder.type !== 'directory') throw new RenderError('PathNotFound', `${written}: app path is not a directory`);
  return path;
}

/** Turns errors of JavaScript's own limits into errors about the source. */
function explainRangeError(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  if (error.message.includes('call stack'))
    throw new RenderError('TooLarge', 'the source is nested too deeply, or refers to itself in a loop');
  throw new RenderError('TooLarge', `a value that the source renders is too large: ${error.message}`);
}
