import { type Secret, secretValue } from '@fairlead/apimachinery';
import { anyMap, GoMap, GoSlice, sliceOf } from '@fairlead/render/go-template';
import { inClusterName, inClusterServer } from '../../cluster/clusters.ts';
import { sanitizeName } from '../template/sanitize-name.ts';
import type { Generate } from './generator.ts';
import { during } from './generator-error.ts';
import { type Params, paramsOf, textMap } from './params.ts';
import { selectorOf } from './selector.ts';
import { addValues } from './values.ts';

/** One set of parameters for each cluster: those of Secrets, and the local one, which has no labels to select by. */
export const generateClusters: Generate<'clusters'> = async ({ selector, values, flatList }, run) => {
  const matches = await during('error getting cluster secrets', () =>
    during('error converting label selector', () => selectorOf(selector, 'labels')),
  );
  const selected = new Map<string, Secret>();
  for (const secret of run.objects.clusterSecrets()) {
    if (matches(secret.metadata.labels ?? {})) selected.set(secretValue(secret, 'name') ?? '', secret);
  }
  const all: Params[] = [];
  for (const [, secret] of [...selected].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const params = clusterParams(secret, run.goTemplate);
    await during('error appending templated values for cluster', () => addValues(params, values, run));
    all.push(params);
  }
  const isSelective =
    Object.keys(selector?.matchLabels ?? {}).length > 0 || (selector?.matchExpressions ?? []).length > 0;
  const hasLocal = [...selected.values()].some((secret) => secretValue(secret, 'server') === inClusterServer);
  if (!isSelective && !hasLocal) {
    const params = paramsOf([
      ['name', inClusterName],
      ['nameNormalized', inClusterName],
      ['server', inClusterServer],
      ['project', ''],
    ]);
    await during('error appending templated values for local cluster', () => addValues(params, values, run));
    all.push(params);
  }
  return flatList ? [paramsOf([['clusters', new GoSlice(all, sliceOf(anyMap))]])] : all;
};

function clusterParams(secret: Secret, goTemplate: boolean): Params {
  const name = secretValue(secret, 'name') ?? '';
  const params = paramsOf([
    ['name', name],
    ['nameNormalized', sanitizeName(name)],
    ['server', secretValue(secret, 'server') ?? ''],
    ['project', secretValue(secret, 'project') ?? ''],
  ]);
  const { annotations = {}, labels = {} } = secret.metadata;
  if (goTemplate) {
    const metadata = new GoMap();
    if (Object.keys(annotations).length > 0) metadata.set('annotations', textMap(annotations));
    if (Object.keys(labels).length > 0) metadata.set('labels', textMap(labels));
    params.set('metadata', metadata);
    return params;
  }
  for (const [key, value] of Object.entries(annotations)) params.set(`metadata.annotations.${key}`, value);
  for (const [key, value] of Object.entries(labels)) params.set(`metadata.labels.${key}`, value);
  return params;
}
