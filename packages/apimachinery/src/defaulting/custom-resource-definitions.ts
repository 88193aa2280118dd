import type { KubeObject } from '../meta/object.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { normalizeSchema } from './normalize-schema.ts';

interface DefinitionFields extends KubeObject {
  spec?: {
    group?: string;
    scope?: string;
    names?: { plural?: string; kind?: string; singular?: string; listKind?: string };
    versions?: { schema?: { openAPIV3Schema?: JsonSchema } }[];
    conversion?: { strategy?: string; webhook?: { clientConfig?: { service?: { port?: number } } } };
  };
}

export function defaultCustomResourceDefinition(definition: DefinitionFields): void {
  const spec = (definition.spec ??= { group: '', scope: '', versions: [] });
  const names = (spec.names ??= { plural: '', kind: '' });
  if (names.kind) {
    names.singular ||= names.kind.toLowerCase();
    names.listKind ||= `${names.kind}List`;
  }
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
  for (const { schema } of spec.versions ?? []) if (schema?.openAPIV3Schema) normalizeSchema(schema.openAPIV3Schema);
}
