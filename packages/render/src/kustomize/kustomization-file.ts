import { type Kustomization, readKustomization } from './config/kustomization.ts';
import { KustomizeError } from './kustomize-error.ts';
import type { Loader } from './loader.ts';

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

export interface KustomizationFile {
  readonly kustomization: Kustomization;
  readonly fileName: string;
}

/** The kustomization of a loader's folder: there must be exactly one. */
export async function loadKustomization(
  loader: Loader,
  onWarning: (warning: string) => void,
): Promise<KustomizationFile> {
  const found: { fileName: string; text: string }[] = [];
  for (const fileName of fileNames) {
    const text = await loader.loadIfPresent(fileName);
    if (text !== undefined) found.push({ fileName, text });
  }
  const [first] = found;
  if (!first)
    throw new KustomizeError(
      `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${loader.where}'`,
      'PathNotFound',
    );
  if (found.length > 1) throw new KustomizeError(`Found multiple kustomization files under: ${loader.where}`);
  return { kustomization: readKustomization(first.text, loader.where, onWarning), fileName: first.fileName };
}
