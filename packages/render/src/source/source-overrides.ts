import type { ApplicationSource } from '@fairlead/api';
import { isJsonObject, type JsonObject, mergePatch } from '@fairlead/apimachinery/primitives';
import { readYaml } from '../go-yaml/index.ts';
import { RenderError } from '../render-error.ts';
import { joinPath, type Tree } from '../tree/tree.ts';
import { messageOf } from '../util/errors.ts';
import { shownPath } from './shown-path.ts';

/**
 * The source merged with `.argocd-source.yaml` and `.argocd-source-NAME.yaml` of its folder. They may change how it is rendered, but not
 * its repository, path, chart or revision.
 */
export async function withOverrides(
  source: ApplicationSource,
  tree: Tree,
  path: string,
  name: string | undefined,
): Promise<ApplicationSource> {
  let merged: unknown = source;
  for (const file of ['.argocd-source.yaml', ...(name ? [`.argocd-source-${name.replaceAll('/', '_')}.yaml`] : [])]) {
    const at = joinPath(path, file);
    const content = await tree.read(at);
    if (content && isJsonObject(merged)) merged = mergePatch(merged, readPatch(at, content));
  }
  return isSource(merged) && merged !== source ? withIdentityOf(source, merged) : source;
}

const isSource = (value: unknown): value is Partial<ApplicationSource> => isJsonObject(value);

function withIdentityOf(source: ApplicationSource, merged: Partial<ApplicationSource>): ApplicationSource {
  const { chart: _, path: __, repoURL: ___, targetRevision: ____, ...rest } = merged;
  const { chart, path, repoURL, targetRevision } = source;
  return {
    ...rest,
    repoURL,
    ...(chart === undefined ? {} : { chart }),
    ...(path === undefined ? {} : { path }),
    ...(targetRevision === undefined ? {} : { targetRevision }),
  };
}

const cannotParse = 'error getting app source type: error while parsing source parameters:';

function readPatch(file: string, content: Uint8Array): JsonObject {
  let patch: unknown;
  try {
    patch = readYaml(Buffer.from(content).toString('utf8'));
  } catch (error) {
    throw new RenderError('InvalidOption', `${cannotParse} ${shownPath(file)}: ${messageOf(error)}`);
  }
  if (patch === null) return {};
  if (!isJsonObject(patch))
    throw new RenderError(
      'InvalidOption',
      `${cannotParse} ${shownPath(file)}: Invalid JSON Patch: expected options of a source, as under spec.source`,
    );
  return withForceString(patch);
}

/** Image updaters write `forcestring`, and Argo CD accepts it: Go's JSON decoder ignores the case of names. */
function withForceString(patch: JsonObject): JsonObject {
  const helm = patch['helm'];
  if (!isJsonObject(helm) || !Array.isArray(helm['parameters'])) return patch;
  const read = helm['parameters'].map((parameter) => {
    if (!isJsonObject(parameter) || parameter['forcestring'] === undefined) return parameter;
    const { forcestring, ...rest } = parameter;
    return { forceString: forcestring, ...rest };
  });
  return { ...patch, helm: { ...helm, parameters: read } };
}
