import type { Generate } from './generator.ts';
import { during, GeneratorError } from './generator-error.ts';
import { combined, overridden } from './merge-params.ts';
import type { NestedGenerator } from './nested.ts';
import { type Params, paramsOf } from './params.ts';

/** Each set of parameters of the first generator with each of the second, which may refer to those of the first. */
export const generateMatrix: Generate<'matrix'> = async ({ generators }, run) => {
  const [first, second] = generators;
  if (!first || !second) throw new GeneratorError('found less than two generators, Matrix support only two');
  if (generators.length > 2) throw new GeneratorError('found more than two generators, Matrix support only two');
  const result: Params[] = [];
  const outer = await during('error failed to get params for first generator in matrix generator', () =>
    run.children(first, paramsOf()),
  );
  const isStatic = !mayRefer(second);
  let inner: Params[] | undefined;
  for (const a of outer) {
    if (!inner || !isStatic)
      inner = await during('failed to get params for second generator in the matrix generator', () =>
        run.children(second, a),
      );
    for (const b of inner) result.push(run.goTemplate ? overridden(b, a) : await together(a, b));
  }
  return result;
};

const together = (a: Params, b: Params): Promise<Params> =>
  during('failed to combine string maps with merging params for the matrix generator', () => combined(a, b));

/** A generator without templates gives the same for each set of parameters, and runs once. */
const mayRefer = (generator: NestedGenerator): boolean => JSON.stringify(generator).includes('{{');
