import { readYaml } from '../../go-yaml/read-yaml.ts';
import { decode, list } from '../config/decode.ts';
import { type Kustomization, replacementType } from '../config/kustomization.ts';
import { KustomizeError, within } from '../kustomize-error.ts';
import type { Transformer, TransformerContext } from '../transformer.ts';
import { type Replacement, replaceValues } from './replacements.ts';

/** Inline replacements, or replacements from files. */
export async function replacementTransformer(
  { loader }: TransformerContext,
  entries: NonNullable<Kustomization['replacements']>,
): Promise<Transformer> {
  const replacements: Replacement[] = [];
  for (const { path, ...replacement } of entries) {
    if (!path) {
      replacements.push(replacement);
      continue;
    }
    if (replacement.source || replacement.targets?.length)
      throw new KustomizeError('cannot specify both path and inline replacement');
    const text = await loader.loadText(path);
    replacements.push(...within(path, () => readReplacements(text)));
  }
  return { run: (map) => replaceValues(map, replacements) };
}

function readReplacements(text: string): readonly Replacement[] {
  const value = readYaml(text);
  if (typeof value !== 'object' || value === null)
    throw new KustomizeError('unsupported replacement type encountered within replacement path');
  const all = Array.isArray(value) ? value : [value];
  return decode(all, list(replacementType), { unknown: 'ignore', coerce: true }) ?? [];
}
