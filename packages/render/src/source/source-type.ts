import type { ApplicationSource } from '@fairlead/api';
import { RenderError } from '../render-error.ts';
import { joinPath, type Tree } from '../tree/tree.ts';

export type SourceType = 'Directory' | 'Helm' | 'Kustomize' | 'Plugin';

export const kustomizationFiles = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** The explicit type of a source, or else its type by the files in its folder. A kustomization has precedence over a chart. */
export async function sourceTypeOf(source: ApplicationSource, tree: Tree, path: string): Promise<SourceType> {
  const explicit = (['kustomize', 'helm', 'directory', 'plugin'] as const).filter(
    (field) => source[field] !== undefined,
  );
  if (explicit.length > 1) {
    const names = explicit.map((field) => typeNames[field]).join(',');
    throw new RenderError(
      'InvalidOption',
      `error getting app source type: multiple application sources defined: ${names}`,
    );
  }
  if (explicit[0]) return typeNames[explicit[0]];
  if (source.chart) return 'Helm';
  const isFile = async (name: string): Promise<boolean> => (await tree.stat(joinPath(path, name)))?.type === 'file';
  for (const file of kustomizationFiles) if (await isFile(file)) return 'Kustomize';
  return (await isFile('Chart.yaml')) ? 'Helm' : 'Directory';
}

const typeNames = { kustomize: 'Kustomize', helm: 'Helm', directory: 'Directory', plugin: 'Plugin' } as const;
