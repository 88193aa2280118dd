import type { ApplicationSource } from '@fairlead/api';
import { renderDirectory } from './directory.ts';
import type { Manifest } from './manifest.ts';
import { recordingTree, type TreeRecord } from './recording-tree.ts';
import { RenderError } from './render-error.ts';
import { type SourceType, sourceTypeOf } from './source-type.ts';
import { normalizePath, type Tree } from './tree.ts';

export interface Rendered {
  readonly type: SourceType;
  readonly manifests: readonly Manifest[];
  /** What the manifests depend on, besides the source's own parameters. */
  readonly record: TreeRecord;
}

/** What a source describes, in the tree of one of its revisions. */
export async function renderSource(source: ApplicationSource, tree: Tree): Promise<Rendered> {
  const recorded = recordingTree(tree);
  const path = normalizePath(source.path ?? '');
  const folder = await recorded.stat(path);
  if (!folder)
    throw new RenderError('PathNotFound', `${source.path}: there is no such path in the repository at this revision`);
  if (folder.type !== 'directory')
    throw new RenderError(
      'PathNotFound',
      `${source.path} is a file: name its folder, and the file with directory.include`,
    );
  const type = await sourceTypeOf(source, recorded, path);
  if (type !== 'Directory') {
    throw new RenderError(
      'Unsupported',
      `${path || '.'} needs ${type}, which this version of Fairlead cannot render yet: only directories of manifests`,
    );
  }
  const manifests = await renderDirectory(recorded, path, source.directory);
  return { type, manifests, record: recorded.record };
}
