import type { Generator } from '@fairlead/api';
import { isJsonObject, type Json, type JsonObject } from '@fairlead/apimachinery';
import { GeneratorError } from './generator-error.ts';
import { cannotUnmarshal } from './go-json-error.ts';

/** A generator in a matrix or merge generator. */
export type NestedGenerator = NonNullable<Generator['matrix']>['generators'][number];

/**
 * The generators of a matrix or merge generator as separate generators. A matrix or merge among them has terminal generators only: what
 * these would nest is ignored, as CustomResourceDefinitions cannot describe it.
 */
export function childGenerator(nested: NestedGenerator): Generator {
  const { matrix, merge, ...terminal } = nested;
  const result: Generator = terminal;
  if (matrix !== undefined && matrix !== null)
    result.matrix = { generators: terminalsOf(matrix, 'NestedMatrixGenerator') };
  if (merge !== undefined && merge !== null) {
    const keys = isJsonObject(merge) && Array.isArray(merge['mergeKeys']) ? merge['mergeKeys'] : [];
    result.merge = { generators: terminalsOf(merge, 'NestedMergeGenerator'), mergeKeys: keys.map(String) };
  }
  return result;
}

function terminalsOf(value: Json, type: string): NestedGenerator[] {
  if (!isJsonObject(value)) throw new GeneratorError(cannotUnmarshal(value, `v1alpha1.${type}`));
  const generators = value['generators'] ?? [];
  if (!Array.isArray(generators)) throw new GeneratorError(cannotUnmarshal(generators, `v1alpha1.${type}`));
  return generators.map(terminal);
}

function terminal(value: Json): NestedGenerator {
  if (!isJsonObject(value))
    throw new GeneratorError(cannotUnmarshal(value, 'v1alpha1.ApplicationSetTerminalGenerator'));
  const { matrix: _, merge: __, ...rest } = value;
  return checked(rest);
}

const parts = [
  'list',
  'clusters',
  'git',
  'scmProvider',
  'clusterDecisionResource',
  'pullRequest',
  'plugin',
  'selector',
];

const isNested = (value: unknown): value is NestedGenerator => isJsonObject(value);

/** The API server does not look into nested generators: their parts must be objects at least. */
function checked(generator: JsonObject): NestedGenerator {
  for (const part of parts) {
    const value = generator[part];
    if (value !== undefined && value !== null && !isJsonObject(value))
      throw new GeneratorError(`${part} of a nested generator: ${cannotUnmarshal(value, 'an object')}`);
  }
  if (!isNested(generator)) throw new GeneratorError('a nested generator is not an object');
  return generator;
}
