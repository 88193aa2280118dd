import type { Application } from '@fairlead/api';
import { knownAnnotations } from '@fairlead/engine';

/** Whether deletions were approved since an operation or a deletion started. An older approval was for something else. */
export function isApproved({ metadata }: Application, since: number): boolean {
  const text = metadata.annotations?.[knownAnnotations.deletionApproved.name] ?? '';
  return /^\d{4}-\d\d-\d\dT/u.test(text) && Date.parse(text) >= since;
}
