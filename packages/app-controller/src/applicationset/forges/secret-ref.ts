import { secretValue, stringsAt } from '@fairlead/apimachinery';
import type { GeneratorRun, ObjectReader } from '../generators/generator.ts';
import { GeneratorError } from '../generators/generator-error.ts';

const typeLabel = 'argocd.argoproj.io/secret-type';

/** The value of a key of a Secret; undefined if it has no such key. Throws if there is no such Secret. */
export async function secretText(
  objects: ObjectReader,
  namespace: string,
  name: string,
  key: string,
): Promise<string | undefined> {
  const secret = await objects.secret(namespace, name);
  if (!secret)
    throw new GeneratorError(`error fetching secret ${namespace}/${name}: Secret ${JSON.stringify(name)} not found`);
  return secretValue(secret, key);
}

/** What a reference of a generator names, in the namespace of its ApplicationSet. Empty without a reference. */
export async function referredSecret(
  ref: { readonly secretName: string; readonly key: string } | undefined,
  { objects, set, settings }: Pick<GeneratorRun, 'objects' | 'set' | 'settings'>,
): Promise<string> {
  if (!ref) return '';
  const { namespace = '' } = set.metadata;
  const name = `${namespace}/${ref.secretName}`;
  const text = await secretText(objects, namespace, ref.secretName, ref.key);
  const secret = settings.tokenRefStrict ? await objects.secret(namespace, ref.secretName) : undefined;
  if (settings.tokenRefStrict && secret?.metadata.labels?.[typeLabel] !== 'scm-creds') {
    throw new GeneratorError(
      `secret ${name} is not a valid SCM creds secret: secret must have label "${typeLabel}"="scm-creds"`,
    );
  }
  if (text === undefined) throw new GeneratorError(`key ${JSON.stringify(ref.key)} in secret ${name} not found`);
  return text;
}

/** Certificates of a ConfigMap in the namespace of the ApplicationSet. */
export async function referredCertificates(
  ref: { readonly configMapName: string; readonly key: string } | undefined,
  { objects, set }: Pick<GeneratorRun, 'objects' | 'set'>,
): Promise<string | undefined> {
  if (!ref) return undefined;
  const configMap = await objects.configMap(set.metadata.namespace ?? '', ref.configMapName);
  if (!configMap) throw new GeneratorError(`ConfigMap ${JSON.stringify(ref.configMapName)} not found`);
  const text = stringsAt(configMap, 'data')[ref.key];
  if (text === undefined) throw new GeneratorError(`key ${ref.key} not found in ConfigMap ${ref.configMapName}`);
  return text;
}
