import { formatSelector, isJsonObject, listAt, selectorFromObject, stringsAt } from '@fairlead/apimachinery';
import { fromPlain } from '@fairlead/render/sprig';
import { knownClusters } from '../known-clusters.ts';
import type { Generate } from './generator.ts';
import { during, GeneratorError } from './generator-error.ts';
import { type Params, paramsOf, printed, textMap } from './params.ts';

/** The clusters that the status of some resource names. A ConfigMap says which resources, and under which key. */
export const generateDecisions: Generate<'clusterDecisionResource'> = async (spec, run) => {
  const { objects, namespace } = run;
  const configMap = await objects.configMap(namespace, spec.configMapRef);
  if (!configMap)
    throw new GeneratorError(`error reading configMapRef: configmaps ${JSON.stringify(spec.configMapRef)} not found`);
  const settings = stringsAt(configMap, 'data');
  const { apiVersion = '', kind = '', matchKey = '' } = settings;
  const slash = apiVersion.indexOf('/');
  if (kind === '' || slash < 1)
    throw new GeneratorError('there is a problem with the apiVersion, kind or resourceName provided');
  const { name = '', labelSelector } = spec;
  const isSelective = labelSelector?.matchLabels !== undefined || labelSelector?.matchExpressions !== undefined;
  if ((name !== '') === isSelective)
    throw new GeneratorError('there is a problem with the definition of the ClusterDecisionResource generator');
  const resource = { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), plural: kind };
  const selection =
    name === ''
      ? { namespace, labelSelector: formatSelector(selectorFromObject(labelSelector)) }
      : { namespace, fieldSelector: `metadata.name=${name}` };
  const found = await during('failed to get dynamic resources', () => objects.list(resource, selection));
  if (found.length === 0) throw new GeneratorError('no clusterDecisionResources found');
  if (matchKey === '') return [];
  const clusters = knownClusters(objects.clusterSecrets());
  const decisions = found.flatMap((one) => listAt(one, 'status', settings['statusListKey'] || 'clusters'));
  const result: Params[] = [];
  for (const decision of decisions) {
    if (!isJsonObject(decision)) continue;
    const match = decision[matchKey];
    const cluster = clusters.find((one) => match !== undefined && one.name === printed(fromPlain(match)));
    if (!cluster) continue;
    const params = paramsOf([
      ['name', cluster.name],
      ['server', cluster.server],
    ]);
    for (const [key, value] of Object.entries(decision)) params.set(key, printed(fromPlain(value)));
    addPlainValues(params, spec.values, run.goTemplate);
    result.push(params);
  }
  return result;
};

/** Unlike those of other generators, these values are no templates. */
function addPlainValues(params: Params, values: Readonly<Record<string, string>> = {}, goTemplate: boolean): void {
  if (!goTemplate) for (const [key, value] of Object.entries(values)) params.set(`values.${key}`, value);
  else if (Object.keys(values).length > 0) params.set('values', textMap(values));
}
