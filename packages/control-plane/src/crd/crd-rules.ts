import type { Draft, KindRules } from '../resource.ts';
import type { Definition } from './definition.ts';

const definitionOf = (draft: Draft): Definition => draft as unknown as Definition;

/** How CustomResourceDefinitions themselves behave (`apiextensions.k8s.io/v1`). */
export const crdRules: KindRules = {
  default(draft) {
    const definition = definitionOf(draft);
    const { spec } = definition;
    if (!spec) return;
    spec.names ??= { plural: '', kind: '' };
    spec.names.singular ||= (spec.names.kind ?? '').toLowerCase();
    if (!spec.names.listKind && spec.names.kind) spec.names.listKind = `${spec.names.kind}List`;
    spec.conversion ??= { strategy: 'None' };
    const service = spec.conversion.webhook?.clientConfig?.service;
    if (service) service.port ??= 443;
  },

  prepareCreate(draft) {
    const definition = definitionOf(draft);
    const stored = definition.spec?.versions?.find((version) => version.storage);
    definition.status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored ? [stored.name] : null,
    };
  },

  prepareUpdate(draft, old, context) {
    if (context.subresource !== '') return;
    const definition = definitionOf(draft);
    const before = definitionOf(old);
    if (!before.status) return;
    const storedVersions = [...(before.status.storedVersions ?? [])];
    const stored = definition.spec?.versions?.find((version) => version.storage);
    if (stored && !storedVersions.includes(stored.name)) storedVersions.push(stored.name);
    definition.status = { ...before.status, storedVersions };
  },
};
