import type { Application } from '@fairlead/api';

const annotation = 'argocd.argoproj.io/deletion-approved';

/** Whether a person has approved deletions since an operation or a deletion began. An older approval was for something else. */
export function isApproved({ metadata }: Application, since: number): boolean {
  const text = metadata.annotations?.[annotation] ?? '';
  return /^\d{4}-\d\d-\d\dT/u.test(text) && Date.parse(text) >= since;
}
