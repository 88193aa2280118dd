import { writeYaml } from '../go-yaml/write-yaml.ts';
import { normalizePath, type Tree } from '../tree/tree.ts';
import { isRecord } from '../util/guards.ts';
import type { HelmSupport } from './helm-charts.ts';
import { within } from './kustomize-error.ts';
import { Loader } from './loader.ts';
import * as annotations from './resource/annotations.ts';
import { demandMetadata } from './resource/read-resources.ts';
import type { ResMap } from './resource/res-map.ts';
import { Schemas } from './schema/schemas.ts';
import { Target } from './target.ts';
import { addHashSuffixes } from './transform/hash.ts';
import { setEntries } from './transform/metadata.ts';
import { fixNameReferences } from './transform/name-references.ts';
import { sortResources } from './transform/sort.ts';
import { resolveVars } from './transform/vars.ts';

export interface KustomizeOptions extends HelmSupport {
  /** Whether files outside a kustomization's folder are errors. */
  readonly loadRestrictor?: 'rootOnly' | 'none';
  /** The order of objects if the kustomization has none. */
  readonly reorder?: 'legacy' | 'none';
  /** A path of the tree as messages show it. */
  readonly showPath?: (path: string) => string;
  /** Called with each deprecated field, as Kustomize reports it. */
  readonly onWarning?: (warning: string) => void;
}

/** The version of Kustomize that is reproduced here. */
const kustomizeVersion = 'v5.8.1';

/** Builds a kustomization: its objects in order. */
export async function buildKustomization(
  tree: Tree,
  path: string,
  options: KustomizeOptions = {},
): Promise<Record<string, unknown>[]> {
  const loader = new Loader(tree, normalizePath(path), {
    anyFile: options.loadRestrictor === 'none',
    ...(options.fetchRemote ? { fetchRemote: options.fetchRemote } : {}),
    ...(options.showPath ? { show: options.showPath } : {}),
  });
  const target = await Target.root(loader, {
    schemas: new Schemas(),
    helm: options,
    onWarning: options.onWarning ?? (() => {}),
  });
  const { map, config, vars } = await target.accumulate();
  const { kustomization } = target;
  addHashSuffixes(map);
  fixNameReferences(map, config.nameReference);
  resolveVars(map, [...vars.values()], config.varReference);
  dropLocal(map);
  if (kustomization.sortOptions) sortResources(map, kustomization.sortOptions);
  else if (options.reorder !== 'none') sortResources(map, { order: 'legacy' });
  finish(map, kustomization.buildMetadata ?? []);
  return map.resources.map((resource) => resource.value);
}

/** Builds a kustomization: the YAML that `kustomize build` prints. */
export async function kustomizeYaml(tree: Tree, path: string, options: KustomizeOptions = {}): Promise<string> {
  const objects = await buildKustomization(tree, path, options);
  return objects
    .map((object) =>
      within(
        () => nameOf(object),
        () => writeYaml(object),
      ),
    )
    .join('---\n');
}

const nameOf = ({ kind, metadata }: Record<string, unknown>): string =>
  `${String(kind)} ${String(isRecord(metadata) ? metadata['name'] : undefined)}`;

/** Removes objects that are only used during the build. */
function dropLocal(map: ResMap): void {
  map.resources = map.resources.filter((resource) => {
    if (!resource.node) return false;
    demandMetadata(resource.node);
    const local = resource.annotation(annotations.localConfig);
    return local === undefined || local === 'false';
  });
}

/** Removes the build's annotations, except those that `buildMetadata` asks for. */
function finish(map: ResMap, buildMetadata: readonly string[]): void {
  if (buildMetadata.includes('managedByLabel'))
    setEntries(map, new Map([['app.kubernetes.io/managed-by', `kustomize-${kustomizeVersion}`]]), [
      { path: 'metadata/labels', create: true },
    ]);
  const shown = new Set<string>();
  if (buildMetadata.includes('originAnnotations')) shown.add(annotations.origin);
  if (buildMetadata.includes('transformerAnnotations')) shown.add(annotations.transformations);
  const removed = [...annotations.buildAnnotations, annotations.origin, annotations.transformations];
  for (const resource of map.resources) {
    const kept = resource.annotations;
    for (const key of removed) if (!shown.has(key)) kept.delete(key);
    resource.annotations = kept;
  }
}
