import { type FieldError, fieldError, type Json, type Structural } from '@fairlead/apimachinery';
import { forbidden } from '../access/attributes.ts';
import type { Draft, KindRules, RuleContext } from '../resource.ts';
import { compileRules, type SchemaRules } from './cel/schema-rules.ts';
import { Correlation } from './correlation.ts';
import { applyDefaults } from './default-values.ts';
import { type Definition, isConditionTrue, type Version } from './definition.ts';
import { validateEmbedded } from './embedded-resources.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { validateListTypes } from './list-types.ts';
import { pruneResource } from './prune.ts';
import { validateScale } from './scale-values.ts';
import { validateValue } from './validate-value.ts';

/** The rules of objects of one version of a CRD. `storedSchema` is that of the storage version, if it differs. */
export function customResourceRules(
  definition: Definition,
  version: Version,
  schema: Structural,
  storedSchema: Structural | undefined,
): KindRules<Draft> {
  const { group, names } = definition.spec;
  const hasStatus = version.subresources?.status != null;
  const scale = version.subresources?.scale ?? undefined;
  const terminating = definition.metadata.deletionTimestamp !== undefined || isConditionTrue(definition, 'Terminating');
  // Compiled on first use: a cluster has more CRDs than it uses.
  let compiled: { readonly rules: SchemaRules | undefined } | undefined;

  const pruneAndDefault = (draft: Draft): void => {
    pruneResource(draft, schema);
    applyDefaults(draft, schema);
  };

  /** Rules are evaluated on well-formed objects only; the server reports other errors first and stops. */
  const withRules = (errors: FieldError[], value: Json, old: Json | undefined, context: RuleContext): FieldError[] => {
    const { rules } = (compiled ??= { rules: compileRules(schema) });
    if (!rules) return errors;
    for (const unsupported of rules.unsupported) context.warn(unsupported);
    if (errors.some((error) => blocking.has(error.reason))) return [...errors, notAllChecked];
    return [...errors, ...rules.validate(value, old, context)];
  };

  return {
    default: pruneAndDefault,

    prepareCreate(draft) {
      if (!hasStatus) return;
      delete draft.status;
      // A default of the whole status applies at the first read.
      pruneAndDefault(draft);
    },

    admit(draft, old) {
      if (old || !terminating) return;
      throw forbidden(
        { group, resource: names.plural, name: draft.metadata.name },
        'create not allowed while custom resource definition is terminating',
      );
    },

    validate(draft, context) {
      // An update is compared with the old object: see validateUpdate.
      if (context.operation !== 'create') return [];
      const value: Json = draft;
      const errors = [
        ...validateValue(value, schema, ''),
        ...validateScale(draft, scale),
        ...validateEmbedded(value, schema),
        ...validateListTypes(value, schema),
      ];
      return withRules(errors, value, undefined, context);
    },

    validateUpdate(draft, old, context) {
      const [value, before]: [Json, Json] = [draft, old];
      const errors = [
        ...validateValue(value, schema, '', new Correlation(value, before, schema)),
        ...validateScale(draft, scale),
        ...validateEmbedded(value, schema),
        ...(validateListTypes(before, schema).length === 0 ? validateListTypes(value, schema) : []),
      ];
      return withRules(errors, value, before, context);
    },

    validateStatusUpdate(draft, old, context) {
      const [value, before]: [Json, Json] = [draft, old];
      const statusSchema = schema.properties.get('status');
      const errors: FieldError[] = [];
      if (statusSchema && draft.status !== undefined)
        errors.push(
          ...validateValue(
            draft.status,
            statusSchema,
            'status',
            new Correlation(draft.status, old.status ?? null, statusSchema),
          ),
        );
      errors.push(
        ...validateScale(draft, scale, 'status'),
        ...validateEmbedded(value, schema),
        ...(validateListTypes(before, schema).length === 0 ? validateListTypes(value, schema) : []),
      );
      return withRules(errors, value, before, context);
    },

    verify(draft) {
      // Fields that the storage version does not have are lost, as the response shows.
      if (storedSchema) pruneResource(draft, storedSchema);
    },

    warnings: finalizerWarnings,
  };
}

const blocking = new Set<FieldError['reason']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const notAllChecked = fieldError.invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
