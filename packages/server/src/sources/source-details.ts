import type { ApplicationSource } from '@fairlead/api';
import { isObject, type Json, type JsonObject, listAt, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { joinPath, type Manifest, normalizePath, type Tree } from '@fairlead/render';
import { readYaml } from '@fairlead/render/go-yaml';

/** Folders of a repository that are charts or kustomizations, by path. */
export async function findApps(tree: Tree): Promise<ReadonlyMap<string, 'Helm' | 'Kustomize'>> {
  const found = new Map<string, 'Helm' | 'Kustomize'>();
  for await (const { dir, name } of filesBelow(tree, '')) {
    const isKustomization = /^(?:kustomization\.ya?ml|Kustomization)$/u.test(name);
    if (isKustomization) found.set(dir || '.', 'Kustomize');
    else if (name === 'Chart.yaml' && !found.has(dir || '.')) found.set(dir || '.', 'Helm');
  }
  return found;
}

/** All files below a folder, in order, up to the number that one source may have. */
async function* filesBelow(tree: Tree, start: string): AsyncGenerator<{ dir: string; name: string }> {
  const left = [start];
  let count = 0;
  for (let dir = left.pop(); dir !== undefined; dir = left.pop()) {
    const folders: string[] = [];
    for (const { name, type } of (await tree.list(dir)) ?? []) {
      count += 1;
      if (count > limits.archiveFiles) return;
      if (type === 'directory') folders.push(joinPath(dir, name));
      else if (type === 'file') yield { dir, name };
    }
    left.push(...folders.reverse());
  }
}

export interface HelmDetails {
  readonly valueFiles: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly values: string;
  readonly fileParameters: readonly { readonly name: string; readonly path: string }[];
}

/** What a chart can be configured with: its value files, its values.yaml, and every single value, as the selected files set it. */
export async function helmDetails(tree: Tree, path: string, source: ApplicationSource): Promise<HelmDetails> {
  const valueFiles: string[] = [];
  for await (const { dir, name } of filesBelow(tree, path)) {
    if (!/values.*\.ya?ml$/iu.test(name) || !name.includes('values')) continue;
    valueFiles.push(joinPath(dir, name).slice(path === '' ? 0 : path.length + 1));
  }
  const read = async (file: string): Promise<string> => {
    const bytes = await tree.read(file);
    return bytes ? Buffer.from(bytes).toString() : '';
  };
  const values = await read(joinPath(path, 'values.yaml'));
  const selected = (source.helm?.valueFiles ?? []).filter((file) => !/^(?:https?:|\$)/u.test(file));
  const texts = [values, ...(await Promise.all(selected.map((file) => read(valueFile(path, file)))))];
  return {
    valueFiles: valueFiles.sort(),
    values,
    parameters: parametersIn(texts),
    fileParameters: (source.helm?.fileParameters ?? []).map(({ name = '', path: at = '' }) => ({ name, path: at })),
  };
}

/** Every single value; empty if the files are too large to parse in this thread. */
function parametersIn(texts: readonly string[]): HelmDetails['parameters'] {
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  if (bytes > limits.valueFilesBytes) return [];
  const flat = new Map<string, string>();
  for (const text of texts) flatten(JSON.parse(JSON.stringify(readYaml(text) ?? {})), '', flat);
  return [...flat].map(([name, value]) => ({ name, value }));
}

/** A value file is relative to the chart, or to the repository if it begins with a slash. */
const valueFile = (path: string, file: string): string =>
  normalizePath(file.startsWith('/') ? file.slice(1) : joinPath(path, file));

/** `a.b[0].c` for each value that is not an object or list. */
function flatten(value: Json, name: string, flat: Map<string, string>): void {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) flatten(item, `${name}[${i}]`, flat);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) flatten(item, name === '' ? key : `${name}.${key}`, flat);
  } else if (name !== '') flat.set(name, value === null ? '<nil>' : String(value));
}

/** The images of all containers, sorted. */
export const imagesOf = (manifests: readonly Manifest[]): string[] =>
  manifests.flatMap((manifest) => imagesIn(JSON.parse(JSON.stringify(manifest)))).sort();

function imagesIn(object: JsonObject): string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (key === 'containers' || key === 'initContainers')
      return listAt(object, key).flatMap((container) => textAt(container, 'image') || []);
    const inside = Array.isArray(value) ? value : [value];
    return inside.flatMap((item) => (isObject(item) ? imagesIn(item) : []));
  });
}
