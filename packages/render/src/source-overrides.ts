import type { ApplicationSource } from '@fairlead/api';
import type { Json, JsonObject } from '@fairlead/apimachinery';
import { messageOf } from './errors.ts';
import { readYaml } from './go-yaml/index.ts';
import { RenderError } from './render-error.ts';
import { joinPath, type Tree } from './tree.ts';

/**
 * The source with what `.argocd-source.yaml` and `.argocd-source-NAME.yaml` in its folder say merged over it. They may change how it is
 * rendered, but not where it is.
 */
export async function withOverrides(
  source: ApplicationSource,
  tree: Tree,
  path: string,
  name: string | undefined,
): Promise<ApplicationSource> {
  let merged: Json | undefined;
  for (const file of ['.argocd-source.yaml', ...(name ? [`.argocd-source-${name.replaceAll('/', '_')}.yaml`] : [])]) {
    const at = joinPath(path, file);
    const content = await tree.read(at);
    if (content) merged = mergePatch(merged ?? (source as unknown as JsonObject), readPatch(at, content));
  }
  if (merged === undefined) return source;
  const { chart: _, path: __, repoURL: ___, targetRevision: ____, ...rest } = merged as unknown as ApplicationSource;
  const { chart, path: own, repoURL, targetRevision } = source;
  return {
    ...rest,
    repoURL,
    ...(chart === undefined ? {} : { chart }),
    ...(own === undefined ? {} : { path: own }),
    ...(targetRevision === undefined ? {} : { targetRevision }),
  };
}

function readPatch(file: string, content: Uint8Array): JsonObject {
  let patch: unknown;
  try {
    patch = readYaml(Buffer.from(content).toString('utf8'));
  } catch (error) {
    throw new RenderError('InvalidOption', `${file}: ${messageOf(error)}`);
  }
  if (patch === null) return {};
  if (typeof patch !== 'object' || Array.isArray(patch))
    throw new RenderError('InvalidOption', `${file}: expected options of a source, as under spec.source`);
  return withForceString(patch as JsonObject);
}

/** Image updaters write `forcestring`, and Argo CD reads it: to Go's JSON the case of a name does not matter. */
function withForceString(patch: JsonObject): JsonObject {
  const helm = patch['helm'];
  const parameters = isObject(helm) ? helm['parameters'] : undefined;
  if (!isObject(helm) || !Array.isArray(parameters)) return patch;
  const read = parameters.map((parameter) => {
    if (!isObject(parameter) || parameter['forcestring'] === undefined) return parameter;
    const { forcestring, ...rest } = parameter;
    return { forceString: forcestring, ...rest } as JsonObject;
  });
  return { ...patch, helm: { ...helm, parameters: read } };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7386. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result = new Map<string, Json>(isObject(target) ? (Object.entries(target) as [string, Json][]) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) result.delete(key);
    else result.set(key, mergePatch(result.get(key), value));
  }
  return Object.fromEntries(result);
}
