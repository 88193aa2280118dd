import type { ApplicationSet, ApplicationsSyncPolicy } from '@fairlead/api';
import type { ApplicationSetSettings } from './settings.ts';

/** What may be done with Applications, besides creating them. */
export interface AllowedChanges {
  readonly update: boolean;
  readonly delete: boolean;
}

const allowed: Readonly<Record<ApplicationsSyncPolicy, AllowedChanges>> = {
  sync: { update: true, delete: true },
  'create-only': { update: false, delete: false },
  'create-update': { update: true, delete: false },
  'create-delete': { update: false, delete: true },
};

export function allowedChanges(
  { spec }: ApplicationSet,
  { policy, policyOverride }: Pick<ApplicationSetSettings, 'policy' | 'policyOverride'>,
): AllowedChanges {
  const own = policyOverride ? spec.syncPolicy?.applicationsSync : undefined;
  return allowed[own ?? policy];
}
