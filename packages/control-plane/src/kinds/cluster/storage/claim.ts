import type { KindRules } from '../../../resource.ts';
import { claimSpec } from '../../workloads/pod-spec/claim-template.ts';
import { isWhole } from '../quantity.ts';
import { isMain, isStatusWrite } from '../shape.ts';
import { giveDefaultClass, refuseBadResize, refuseBeyondLimits } from './claim-admission.ts';
import { alignDataSources } from './claim-sources.ts';
import { validateClaimStatus } from './claim-status.ts';
import { type Claim, classAnnotation } from './claim-types.ts';
import { validateClaimUpdate } from './claim-update.ts';
import { addFinalizer } from './protection.ts';

function fractionalWarnings({ spec }: Claim): string[] {
  return (['requests', 'limits'] as const).flatMap((list) => {
    const size = spec?.resources?.[list]?.['storage'];
    if (size === undefined || isWhole(size)) return [];
    return [`spec.resources.${list}[storage]: fractional byte value "${size}" is invalid, must be an integer`];
  });
}

export const claimRules: KindRules<Claim> = {
  prepareCreate(draft) {
    draft.status = { phase: 'Pending' };
    alignDataSources((draft.spec ??= {}), undefined);
  },
  prepareUpdate(draft, old, context) {
    if (isMain(context)) alignDataSources((draft.spec ??= {}), old.spec);
  },
  admit(draft, old, context) {
    if (old) return;
    giveDefaultClass(draft, context);
    addFinalizer(draft, 'kubernetes.io/pvc-protection');
  },
  validate(draft, context) {
    if (context.operation !== 'create') return [];
    const errors = [...claimSpec(draft.spec ?? {}, 'spec')];
    if (errors.length === 0) refuseBeyondLimits(draft, context);
    return errors;
  },
  validateUpdate(draft, old, context) {
    const errors = validateClaimUpdate(draft, old);
    if (errors.length === 0) {
      refuseBeyondLimits(draft, context);
      refuseBadResize(draft, old, context);
    }
    return errors;
  },
  validateStatusUpdate: (draft) => validateClaimStatus(draft),
  warnings(draft, old) {
    if (isStatusWrite(draft, old)) return [];
    const deprecated = draft.metadata.annotations?.[classAnnotation] !== undefined;
    return [
      ...(deprecated
        ? [`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`]
        : []),
      ...fractionalWarnings(draft),
    ];
  },
  metadataOnUpdate: ['update', 'create'],
};
