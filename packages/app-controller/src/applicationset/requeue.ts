import type { ApplicationSet, Generator } from '@fairlead/api';
import { childGenerator } from './generators/nested.ts';
import { type GeneratorName, generatorNames } from './generators/transform.ts';

const slowMs = 30 * 60_000;

/** How often the generators of a set run again, in milliseconds: the shortest time of any; 0 if an event always reports a change. */
export function requeueMs({ spec }: ApplicationSet, defaultMs: number): number {
  const times = spec.generators
    .flatMap((generator) => generatorNames(generator).map((name) => timeOf(generator, name, defaultMs)))
    .filter((ms) => ms > 0);
  return times.length > 0 ? Math.min(...times) : 0;
}

function timeOf(generator: Generator, name: GeneratorName, defaultMs: number): number {
  const own = (spec: { readonly requeueAfterSeconds?: number } | undefined, otherwise: number): number =>
    spec?.requeueAfterSeconds === undefined ? otherwise : spec.requeueAfterSeconds * 1_000;
  switch (name) {
    case 'list':
    case 'clusters':
      return 0;
    case 'git':
      return own(generator.git, defaultMs);
    case 'clusterDecisionResource':
      return own(generator.clusterDecisionResource, defaultMs);
    case 'scmProvider':
      return own(generator.scmProvider, slowMs);
    case 'pullRequest':
      return own(generator.pullRequest, slowMs);
    case 'plugin':
      return own(generator.plugin, slowMs);
    case 'matrix':
    case 'merge': {
      const children = (generator.matrix ?? generator.merge)?.generators ?? [];
      const times = children
        .map((nested) => childGenerator(nested))
        .flatMap((child) => generatorNames(child).map((one) => timeOf(child, one, defaultMs)))
        .filter((ms) => ms > 0);
      return times.length > 0 ? Math.min(...times) : 0;
    }
  }
}

/** All generators of a set, those in others included. */
export const allGenerators = ({ spec }: ApplicationSet): Generator[] => spec.generators.flatMap(withChildren);

function withChildren(generator: Generator): Generator[] {
  const children = [...(generator.matrix?.generators ?? []), ...(generator.merge?.generators ?? [])];
  return [generator, ...children.flatMap((nested) => safeChildren(nested))];
}

/** A nested generator that cannot be read is reported when it runs. */
function safeChildren(nested: Parameters<typeof childGenerator>[0]): Generator[] {
  try {
    return withChildren(childGenerator(nested));
  } catch {
    return [];
  }
}
