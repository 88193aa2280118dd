import type { Generator } from '@fairlead/api';
import { isJsonObject, type JsonObject, toJson } from '@fairlead/apimachinery';
import { fillEmpty } from '../template/fill-empty.ts';
import { generateDecisions } from './cluster-decision-resource.ts';
import { generateClusters } from './clusters.ts';
import type { GeneratorRun } from './generator.ts';
import { during } from './generator-error.ts';
import { generateGit } from './git.ts';
import { interpolate } from './interpolate.ts';
import { generateList } from './list.ts';
import { generateMatrix } from './matrix.ts';
import { generateMerge } from './merge.ts';
import { flatTexts, type Params } from './params.ts';
import { generatePlugin } from './plugin.ts';
import { generatePullRequests } from './pull-request.ts';
import { generateRepositories } from './scm-provider.ts';
import { selectorOf } from './selector.ts';

/** The parameters of a generator, and the template that they go with. */
export interface Transformed {
  readonly params: Params[];
  readonly template: JsonObject;
}

export interface TransformOptions {
  /** The template of the ApplicationSet; empty for a generator within another. */
  readonly base: JsonObject;
  /** The parameters that templates in the generator may refer to. */
  readonly parent: Params;
}

/** In the order of Argo CD. */
const names = [
  'list',
  'clusters',
  'git',
  'scmProvider',
  'clusterDecisionResource',
  'pullRequest',
  'matrix',
  'merge',
  'plugin',
] as const;

export type GeneratorName = (typeof names)[number];

/** The types of generators that an entry has; usually one. */
export const generatorNames = (generator: Generator): GeneratorName[] =>
  names.filter((name) => generator[name] !== undefined && generator[name] !== null);

/** Runs each generator of an entry, and drops what its selector does not select. */
export async function transform(
  generator: Generator,
  run: GeneratorRun,
  { base, parent }: TransformOptions,
): Promise<Transformed[]> {
  const matches = await during('error parsing label selector', () => selectorOf(generator.selector, 'parameters'));
  const results: Transformed[] = [];
  for (const name of generatorNames(generator)) {
    const own = toJson(generator[name]?.template ?? {});
    await run.texts.begin();
    const rendered = parent.size > 0 ? interpolate(generator, parent, run) : generator;
    const params = await generate(name, rendered, run);
    results.push({
      params: generator.selector ? params.filter((one) => matches(flatTexts(one))) : params,
      template: fillEmpty(isJsonObject(own) ? own : {}, base),
    });
  }
  return results;
}

async function generate(name: GeneratorName, generator: Generator, run: GeneratorRun): Promise<Params[]> {
  const { list, clusters, git, scmProvider, clusterDecisionResource, pullRequest, matrix, merge, plugin } = generator;
  if (name === 'list' && list) return generateList(list, run);
  if (name === 'clusters' && clusters) return generateClusters(clusters, run);
  if (name === 'git' && git) return generateGit(git, run);
  if (name === 'scmProvider' && scmProvider) return generateRepositories(scmProvider, run);
  if (name === 'clusterDecisionResource' && clusterDecisionResource)
    return generateDecisions(clusterDecisionResource, run);
  if (name === 'pullRequest' && pullRequest) return generatePullRequests(pullRequest, run);
  if (name === 'matrix' && matrix) return generateMatrix(matrix, run);
  if (name === 'merge' && merge) return generateMerge(merge, run);
  if (name === 'plugin' && plugin) return generatePlugin(plugin, run);
  return [];
}
