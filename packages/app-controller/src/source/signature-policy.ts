import type { AppProject } from '@fairlead/api';
import { normalizeGitUrl } from '@fairlead/source';
import { matchesGlob } from '../glob.ts';

/** Keys of which one must have signed, and the field that requires it. */
export interface SignaturePolicy {
  readonly field: string;
  readonly keys: readonly string[];
}

/** The signatures that a project requires for the commits of a Git repository. Empty if none. */
export function signaturePolicies({ spec }: AppProject, repoURL: string): SignaturePolicy[] {
  const { signatureKeys = [], sourceIntegrity } = spec;
  if (sourceIntegrity?.git) {
    return (sourceIntegrity.git.policies ?? []).flatMap(({ repos, gpg }, i): SignaturePolicy[] =>
      gpg.mode !== 'none' && isAbout(repos, repoURL)
        ? [{ field: `spec.sourceIntegrity.git.policies[${i}].gpg.keys`, keys: gpg.keys }]
        : [],
    );
  }
  if (signatureKeys.length === 0) return [];
  return [{ field: 'spec.signatureKeys', keys: signatureKeys.map(({ keyID }) => keyID) }];
}

/** Whether a project requires signatures at all. */
export const requiresSignatures = ({ spec }: AppProject): boolean =>
  (spec.signatureKeys ?? []).length > 0 ||
  (spec.sourceIntegrity?.git?.policies ?? []).some(({ gpg }) => gpg.mode !== 'none');

/** One pattern matches, and none denies. */
function isAbout(repos: readonly { readonly url: string }[], repoURL: string): boolean {
  const url = normalizeGitUrl(repoURL);
  const fits = (pattern: string): boolean =>
    matchesGlob(pattern, url) || matchesGlob(pattern, repoURL) || normalizeGitUrl(pattern) === url;
  const denied = repos.some(({ url: pattern }) => pattern.startsWith('!') && fits(pattern.slice(1)));
  return !denied && repos.some(({ url: pattern }) => !pattern.startsWith('!') && fits(pattern));
}
