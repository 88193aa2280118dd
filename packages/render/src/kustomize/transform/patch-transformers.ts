import { messageOf } from '../../util/errors.ts';
import { configText } from '../built-in-config.ts';
import type { Patch } from '../config/kustomization.ts';
import { KustomizeError, within } from '../kustomize-error.ts';
import { allowKindChange, allowNameChange } from '../resource/annotations.ts';
import { readResources } from '../resource/read-resources.ts';
import type { Resource } from '../resource/resource.ts';
import { type Selector, selectResources } from '../resource/selector.ts';
import type { Transformer, TransformerContext } from '../transformer.ts';
import { type PatchOperation, readJsonPatch } from './json-patch.ts';
import { patchByOperations, patchNamed, patchNamedInPlace, patchSelected } from './patches.ts';

/** An entry of `patches`: a strategic merge patch or a JSON patch, depending on its text. */
export async function patchTransformer(context: TransformerContext, patch: Patch): Promise<Transformer> {
  const inline = (patch.patch ?? '').trim();
  const { path = '', target, options } = patch;
  if (inline === '' && path === '')
    throw new KustomizeError(`must specify one of patch and path in\n${configText(patch)}`);
  if (inline !== '' && path !== '')
    throw new KustomizeError(`patch and path can't be set at the same time\n${configText(patch)}`);
  const source = path === '' ? `[patch: ${JSON.stringify(inline)}]` : `[path: "${path}"]`;
  const text = path === '' ? inline : await loadPatch(context, path);
  const merges = attempt(() => readResources(text));
  const operations = attempt(() => readJsonPatch(text));
  if (merges?.length && operations?.length)
    throw new KustomizeError(`illegally qualifies as both an SM and JSON patch: ${source}`);
  if (!merges) {
    if (!operations) throw new KustomizeError(`unable to parse SM or JSON patch from ${source}`);
    return operationsTransformer(target, operations, source);
  }
  for (const resource of merges) {
    if (options?.allowNameChange) resource.enable(allowNameChange);
    if (options?.allowKindChange) resource.enable(allowKindChange);
  }
  return mergeTransformer(context, target, merges, source);
}

async function loadPatch({ loader }: TransformerContext, path: string): Promise<string> {
  try {
    return await loader.loadText(path);
  } catch (error) {
    throw new KustomizeError(`failed to get the patch file from path(${path}): ${messageOf(error)}`);
  }
}

function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

function operationsTransformer(
  target: Selector | undefined,
  operations: readonly PatchOperation[],
  source: string,
): Transformer {
  return {
    run(map) {
      if (!target) throw new KustomizeError(`must specify a target for JSON patch ${source}`);
      patchByOperations(map, target, operations, true);
    },
  };
}

function mergeTransformer(
  { schemas }: TransformerContext,
  target: Selector | undefined,
  patches: readonly Resource[],
  source: string,
): Transformer {
  return {
    run(map) {
      if (!target) return patchNamedInPlace(map, patches, schemas);
      if (patches.length > 1)
        throw new KustomizeError(
          `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${source}`,
        );
      if (patches[0]) patchSelected(map, selectResources(map.resources, target), patches[0], schemas);
    },
  };
}

/** `patchesStrategicMerge`: each entry is an inline patch or a file of patches. */
export async function strategicMergeTransformer(
  { loader, schemas }: TransformerContext,
  { paths = [], patches: inline = '' }: { readonly paths?: readonly string[]; readonly patches?: string },
): Promise<Transformer> {
  if (paths.length === 0 && inline === '') throw new KustomizeError('empty file path and empty patch content');
  const patches: Resource[] = [];
  for (const path of paths)
    patches.push(...(attempt(() => readResources(path)) ?? readResources(await loader.loadText(path))));
  if (inline !== '') patches.push(...readResources(inline));
  if (patches.length === 0)
    throw new KustomizeError(`patch appears to be empty; files=[${paths.join(' ')}], Patch=${inline}`);
  return { run: (map) => patchNamed(map, patches, schemas) };
}

/** `patchesJson6902`. */
export async function json6902Transformer(
  { loader }: TransformerContext,
  { target, path = '', jsonOp = '' }: { readonly target?: Selector; readonly path?: string; readonly jsonOp?: string },
): Promise<Transformer> {
  if (!target?.name) throw new KustomizeError('must specify the target name');
  if (path === '' && jsonOp === '') throw new KustomizeError('empty file path and empty jsonOp');
  if (path !== '' && jsonOp !== '') throw new KustomizeError('must specify a file path or jsonOp, not both');
  const text = path === '' ? jsonOp : await loader.loadText(path);
  if (text === '') throw new KustomizeError(`patch file '${path}' empty seems to be empty`);
  const operations = within(path || 'patchesJson6902', () => readJsonPatch(text));
  if (operations.length === 0) throw new KustomizeError(`patch appears to be empty; file=${path}, JsonOp=${text}`);
  return { run: (map) => patchByOperations(map, target, operations, false) };
}
