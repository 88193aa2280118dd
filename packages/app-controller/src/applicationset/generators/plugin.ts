import { isJsonObject, type Json, type JsonObject, stringsAt, toJson } from '@fairlead/apimachinery';
import { fromPlain } from '@fairlead/render/sprig';
import { askPlugin } from '../forges/plugin-service.ts';
import { secretText } from '../forges/secret-ref.ts';
import type { Generate, GeneratorRun } from './generator.ts';
import { during, GeneratorError } from './generator-error.ts';
import { flatTexts, type Params, paramsFrom, paramsOf } from './params.ts';
import { addValues } from './values.ts';

/** Parameters from a service that someone runs beside the controller. */
export const generatePlugin: Generate<'plugin'> = async (spec, run) => {
  const service = await during('error getting plugin from generator', () => serviceOf(spec.configMapRef.name, run));
  const input = toJson(spec.input?.parameters ?? {});
  const parameters: JsonObject = isJsonObject(input) ? input : {};
  const name = run.set.metadata.name;
  const sets = await during('error listing params', () =>
    during(`error get api '${name}'`, () => askPlugin(run.forges, service, name, parameters)),
  );
  const result: Params[] = [];
  for (const set of sets) {
    const params = run.goTemplate ? paramsFrom(set) : paramsOf(Object.entries(flatTexts(paramsFrom(set))));
    const generator: Json = { input: { parameters } };
    params.set('generator', fromPlain(generator));
    await during('error generating params', () => addValues(params, spec.values, run));
    result.push(params);
  }
  return result;
};

async function serviceOf(
  configMapName: string,
  { objects, namespace }: GeneratorRun,
): Promise<{ baseUrl: string; token: string; timeoutMs?: number }> {
  const configMap = await during('error fetching ConfigMap', async () => {
    const found = await objects.configMap(namespace, configMapName);
    if (!found) throw new GeneratorError(`ConfigMap ${JSON.stringify(configMapName)} not found`);
    const data = stringsAt(found, 'data');
    if (!data['baseUrl']) throw new GeneratorError('baseUrl not found in ConfigMap');
    if (!data['token']) throw new GeneratorError('token not found in ConfigMap');
    return data;
  });
  const { baseUrl = '', token: tokenRef = '', requestTimeout } = configMap;
  const token = await during('error fetching Secret token', () => tokenOf(tokenRef, { objects, namespace }));
  if (requestTimeout === undefined) return { baseUrl, token };
  if (!/^[+-]?\d+$/u.test(requestTimeout))
    throw new GeneratorError(
      `error set requestTimeout : strconv.Atoi: parsing ${JSON.stringify(requestTimeout)}: invalid syntax`,
    );
  const seconds = Number(requestTimeout);
  return seconds > 0 ? { baseUrl, token, timeoutMs: seconds * 1_000 } : { baseUrl, token };
}

/** `$key` of the Secret argocd-secret, or `$name:key` of another. */
async function tokenOf(
  reference: string,
  { objects, namespace }: Pick<GeneratorRun, 'objects' | 'namespace'>,
): Promise<string> {
  if (!reference.startsWith('$'))
    throw new GeneratorError(`token is empty, or does not reference a secret key starting with '$': ${reference}`);
  const [first = '', second] = reference.slice(1).split(':');
  const [name, key] = second === undefined ? ['argocd-secret', first] : [first, second];
  return (await secretText(objects, namespace, name, key)) ?? `$${key}`;
}
