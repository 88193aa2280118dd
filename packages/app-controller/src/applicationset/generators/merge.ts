import type { Generate } from './generator.ts';
import { during, GeneratorError } from './generator-error.ts';
import { mergeKeyOf } from './merge-key.ts';
import { overridden } from './merge-params.ts';
import { type Params, paramsOf } from './params.ts';

/** The parameters of the first generator, overridden by those of the later ones that have the same values of the merge keys. */
export const generateMerge: Generate<'merge'> = async ({ generators, mergeKeys = [] }, run) => {
  if (generators.length < 2) throw new GeneratorError('found less than two generators, Merge requires two or more');
  const all: Params[][] = await during('error getting param sets from generators', async () => {
    const sets: Params[][] = [];
    for (const [i, generator] of generators.entries()) {
      const what = `error getting params from generator ${i + 1} of ${generators.length}`;
      sets.push(await during(what, () => run.children(generator, paramsOf())));
    }
    return sets;
  });
  const [base = [], ...others] = all;
  return during('error getting param sets by merge key', () => {
    const merged = byMergeKey(mergeKeys, base);
    for (const other of others) {
      for (const [key, params] of byMergeKey(mergeKeys, other)) {
        const present = merged.get(key);
        if (present) merged.set(key, run.goTemplate ? overridden(present, params) : paramsOf([...present, ...params]));
      }
    }
    return [...merged.values()];
  });
};

function byMergeKey(mergeKeys: readonly string[], sets: readonly Params[]): Map<string, Params> {
  if (mergeKeys.length === 0) throw new GeneratorError('no merge keys were specified, Merge requires at least one');
  const result = new Map<string, Params>();
  for (const params of sets) {
    const key = mergeKeyOf(mergeKeys, params);
    if (result.has(key)) {
      throw new GeneratorError(
        `the parameters from a generator were not unique by the given mergeKeys, Merge requires all param sets to be unique. Duplicate key was ${key}`,
      );
    }
    result.set(key, params);
  }
  return result;
}
