import type { GeneratorRun } from './generator.ts';
import { during, GeneratorError } from './generator-error.ts';
import { childGenerator, type NestedGenerator } from './nested.ts';
import type { Params } from './params.ts';
import { transform } from './transform.ts';

/** The parameters of a generator within another. */
export async function childParams(run: GeneratorRun, nested: NestedGenerator, parent: Params): Promise<Params[]> {
  const generator = childGenerator(nested);
  const results = await during('child generator returned an error on parameter generation', () =>
    transform(generator, run, { base: {}, parent }),
  );
  const [only, ...others] = results;
  if (!only) throw new GeneratorError('child generator generated no parameters');
  if (others.length > 0) throw new GeneratorError('found more than one generator in matrix.Generators');
  return only.params;
}
