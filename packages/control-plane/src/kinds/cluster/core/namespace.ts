import type { Namespace } from '@fairlead/apimachinery';
import { type FieldError, fieldError, labelNamespaceWithName, nameRules } from '@fairlead/apimachinery';
import { validateFinalizerName } from '../../../metadata/finalizers.ts';
import type { KindRules } from '../../../resource.ts';
import { isMain } from '../shape.ts';

const finalizersOf = (draft: Namespace): string[] => draft.spec?.finalizers ?? [];

export const namespaceRules: KindRules<Namespace> = {
  prepareCreate(draft) {
    draft.status = { phase: 'Active' };
    const spec = (draft.spec ??= {});
    if (!spec.finalizers?.includes('kubernetes')) spec.finalizers = [...(spec.finalizers ?? []), 'kubernetes'];
  },
  prepareUpdate(draft, old, context) {
    const kept = old;
    if (isMain(context)) Object.assign(draft, { spec: structuredClone(kept.spec ?? {}) });
    if (context.subresource === 'finalize') Object.assign(draft, { status: structuredClone(kept.status ?? {}) });
  },
  validate(draft, context) {
    const indexed = context.subresource === 'finalize';
    return finalizersOf(draft).flatMap((finalizer, index) =>
      validateFinalizerName(finalizer, indexed ? `spec.finalizers[${index}]` : 'spec.finalizers'),
    );
  },
  validateStatusUpdate(draft) {
    const phase = draft.status?.phase ?? '';
    return phaseErrors(phase, Boolean(draft.metadata.deletionTimestamp));
  },
  defaultAfterCreate: labelNamespaceWithName,
  validateName: nameRules.label,
  metadataOnUpdate: ['create', 'update'],
};

function phaseErrors(phase: string, deleted: boolean): FieldError[] {
  const expected = deleted ? 'Terminating' : 'Active';
  if (phase === expected) return [];
  const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${deleted ? 'not empty' : 'empty'}`;
  return [fieldError.invalid('status.Phase', phase, detail)];
}
