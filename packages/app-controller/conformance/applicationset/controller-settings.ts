import { applicationsSyncPolicies } from '@fairlead/api';
import type { ApplicationSetSettings } from '../../src/applicationset/settings.ts';

/** The settings of flags of Argo CD's controller. */
export function settingsOf(flags: Readonly<Record<string, string>>): Partial<ApplicationSetSettings> {
  const has = (name: string): boolean => flags[name] !== undefined;
  const isOn = (name: string): boolean => flags[name] === 'true';
  const list = (name: string): string[] => (flags[name] ?? '').split(',').filter((item) => item !== '');
  const policy = applicationsSyncPolicies.find((one) => one === flags['policy']);
  return {
    ...(policy ? { policy } : {}),
    ...(has('enable-policy-override') ? { policyOverride: isOn('enable-policy-override') } : {}),
    ...(has('allowed-scm-providers') ? { allowedScmProviders: list('allowed-scm-providers') } : {}),
    ...(has('enable-scm-providers') ? { scmProviders: isOn('enable-scm-providers') } : {}),
    ...(has('token-ref-strict-mode') ? { tokenRefStrict: isOn('token-ref-strict-mode') } : {}),
    ...(has('preserved-annotations') ? { preservedAnnotations: list('preserved-annotations') } : {}),
    ...(has('preserved-labels') ? { preservedLabels: list('preserved-labels') } : {}),
    ...(has('enable-new-git-file-globbing') ? { newGitFileGlobbing: isOn('enable-new-git-file-globbing') } : {}),
    ...(has('enable-progressive-syncs') ? { progressiveSyncs: isOn('enable-progressive-syncs') } : {}),
    ...(has('max-resources-status-count') ? { maxResourcesInStatus: Number(flags['max-resources-status-count']) } : {}),
  };
}
