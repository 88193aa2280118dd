import { readYaml } from '../../go-yaml/read-yaml.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { type FieldSpec, mergeReferences, mergeSpecs } from './field-spec.ts';
import { emptyConfig, type TransformerConfig } from './transformer-config.ts';

interface Property {
  readonly $ref?: string;
  readonly [extension: `x-kubernetes-${string}`]: string | undefined;
}

interface Definition {
  readonly Schema?: { readonly properties?: Readonly<Record<string, Property>> };
  readonly schema?: Definition['Schema'];
}

/** The locations of names, labels and annotations in custom kinds, from a file of OpenAPI definitions. */
export function crdConfig(text: string, path: string): TransformerConfig {
  const value = readYaml(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new KustomizeError(`unable to parse open API definition from '${path}'`);
  const definitions = value as Readonly<Record<string, Definition>>;
  const config = { ...emptyConfig };
  for (const name of Object.keys(definitions).sort()) {
    const properties = propertiesOf(definitions[name]);
    if (properties['kind'] && properties['apiVersion'] && properties['metadata'])
      addPlaces(config, name.slice(name.lastIndexOf('.') + 1), definitions, name, [], 0);
  }
  return config;
}

const propertiesOf = (definition: Definition | null | undefined): Readonly<Record<string, Property | null>> =>
  (definition?.Schema ?? definition?.schema)?.properties ?? {};

type Writable = { -readonly [K in keyof TransformerConfig]: TransformerConfig[K] };

function addPlaces(
  config: Writable,
  kind: string,
  definitions: Readonly<Record<string, Definition>>,
  typeName: string,
  path: readonly string[],
  depth: number,
): void {
  if (depth > 64) throw new KustomizeError(`the definition of ${kind} refers to itself`);
  const properties = propertiesOf(definitions[typeName]);
  for (const name of Object.keys(properties).sort()) {
    const property = properties[name] ?? {};
    const spec = (...more: string[]): FieldSpec => ({ kind, path: [...path, name, ...more].join('/') });
    if (property['x-kubernetes-annotation'] !== undefined)
      config.commonAnnotations = mergeSpecs(config.commonAnnotations, [spec()]);
    if (property['x-kubernetes-label-selector'] !== undefined)
      config.commonLabels = mergeSpecs(config.commonLabels, [spec()]);
    if (property['x-kubernetes-identity'] !== undefined) config.namePrefix = mergeSpecs(config.namePrefix, [spec()]);
    const version = property['x-kubernetes-object-ref-api-version'];
    const target = property['x-kubernetes-object-ref-kind'];
    if (version !== undefined && target !== undefined) {
      const fieldSpecs = [spec(property['x-kubernetes-object-ref-name-key'] ?? 'name')];
      config.nameReference = mergeReferences(config.nameReference, [{ kind: target, version, fieldSpecs }]);
    }
    if (property.$ref) addPlaces(config, kind, definitions, property.$ref, [...path, name], depth + 1);
  }
}
