import type { ApplicationSource } from '@fairlead/api';
import { RenderError } from './render-error.ts';
import { joinPath, type Tree } from './tree.ts';

export type SourceType = 'Directory' | 'Helm' | 'Kustomize' | 'Plugin';

const kustomizationFiles = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** How a source wants to be rendered: what it says, else what stands in its folder. */
export async function sourceTypeOf(source: ApplicationSource, tree: Tree, path: string): Promise<SourceType> {
  const explicit = (['kustomize', 'helm', 'directory', 'plugin'] as const).filter(
    (field) => source[field] !== undefined,
  );
  if (explicit.length > 1) {
    throw new RenderError('InvalidOption', `the source has options for ${explicit.join(' and ')}: keep one of them`);
  }
  if (explicit[0]) return typeNames[explicit[0]];
  if (source.chart || (await tree.stat(joinPath(path, 'Chart.yaml')))) return 'Helm';
  for (const file of kustomizationFiles) {
    if (await tree.stat(joinPath(path, file))) return 'Kustomize';
  }
  return 'Directory';
}

const typeNames = { kustomize: 'Kustomize', helm: 'Helm', directory: 'Directory', plugin: 'Plugin' } as const;
