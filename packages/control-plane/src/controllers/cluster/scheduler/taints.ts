import type { Taint } from '@fairlead/apimachinery';
import type { Toleration } from '../../../kinds/workloads/pod-spec/types.ts';

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    default:
      return false;
  }
}

export const isTolerated = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  (tolerations ?? []).some((toleration) => tolerates(toleration, taint));

const keepsPodsOut = (taint: Taint): boolean => taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';

/** The first taint that these tolerations do not tolerate. */
export const untolerated = (
  tolerations: readonly Toleration[] | undefined,
  taints: readonly Taint[] | undefined,
): Taint | undefined => taints?.find((taint) => keepsPodsOut(taint) && !isTolerated(tolerations, taint));
