import type { KindRules } from '../resource.ts';
import { type Definition, schemaOfVersion, schemasIn } from './definition.ts';
import { isKnownFormat } from './formats.ts';
import { unsupportedRulesOf } from './unsupported-rules.ts';
import { validateDefinition, validateDefinitionUpdate, validateNames } from './validate-definition.ts';

/** The rules of CustomResourceDefinitions themselves (`apiextensions.k8s.io/v1`). */
export const crdRules: KindRules<Definition> = {
  prepareCreate(draft) {
    const stored = draft.spec.versions?.find((version) => version.storage);
    draft.status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored ? [stored.name] : null,
    };
  },

  prepareUpdate(draft, old, context) {
    if (context.subresource !== '') return;
    const before = old.status ?? {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: null,
    };
    const storedVersions = [...(before.storedVersions ?? [])];
    const stored = draft.spec.versions?.find((version) => version.storage);
    if (stored && !storedVersions.includes(stored.name)) storedVersions.push(stored.name);
    draft.status = { ...before, storedVersions };
  },

  validate(draft, context) {
    return context.operation === 'create' ? validateDefinition(draft) : [];
  },

  validateUpdate(draft, old) {
    return validateDefinitionUpdate(draft, old);
  },

  validateStatusUpdate(draft) {
    return validateNames(draft.status?.acceptedNames, 'status.acceptedNames');
  },

  warnings(draft, old) {
    const known = new Set(old ? unknownFormatsOf(old) : []);
    return [
      ...unknownFormatsOf(draft)
        .filter((format) => !known.has(format))
        .map((format) => `unrecognized format ${JSON.stringify(format)}`),
      ...unsupportedRulesOf(draft),
      ...(draft.spec.conversion?.strategy === 'Webhook'
        ? ['conversion webhooks are not called: versions are converted by their name only']
        : []),
    ];
  },
};

function unknownFormatsOf(definition: Definition): string[] {
  const formats: string[] = [];
  const seen = new Set<string>();
  for (const version of definition.spec.versions ?? []) {
    const schema = schemaOfVersion(version);
    const text = JSON.stringify(schema ?? null);
    if (!schema || seen.has(text)) continue;
    // Parts common to all versions are validated once.
    seen.add(text);
    for (const part of schemasIn(schema))
      if (part.format && !isKnownFormat(part.type ?? '', part.format)) formats.push(part.format);
  }
  return formats;
}
