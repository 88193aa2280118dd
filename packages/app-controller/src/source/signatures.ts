import { createHash } from 'node:crypto';
import type { ApplicationSource, AppProject } from '@fairlead/api';
import type { Clock } from '@fairlead/kube';
import {
  type Gpg,
  isKey,
  type Signable,
  type SignatureResult,
  type SourceAsk,
  type Sources,
  signedObject,
} from '@fairlead/source';
import { signaturePolicies } from './signature-policy.ts';

/** Returns the signature of a commit or a tag. */
export interface Signatures {
  check(object: Signable): Promise<SignatureResult | 'unsigned'>;
  /** The known keys have changed. */
  onChange(listener: () => void): () => void;
}

/** Without a verifier, nothing that must be signed is trusted. */
export const noSignatures: Signatures = {
  check: async () => ({ good: false, why: 'cannot be checked: this controller was started without gpg' }),
  onChange: () => () => {},
};

/** A source without the signature that its project requires. A retry does not help. */
export class SignatureRefused extends Error {
  readonly retriable = false;
}

/** How long a key is assumed to be neither expired nor revoked. */
const cacheMs = 10 * 60_000;
const maxKnown = 10_000;

export interface KnownKeys {
  /** Public keys, armored. */
  list(): readonly string[];
  onChange(listener: () => void): () => void;
}

export function createSignatures(gpg: Pick<Gpg, 'verify'>, keys: KnownKeys, clock: Clock): Signatures {
  const results = new Map<string, { readonly result: SignatureResult; readonly until: number }>();
  return {
    onChange: (listener) => keys.onChange(listener),
    async check({ type, id, content }) {
      const signed = signedObject(type, content);
      if (!signed) return 'unsigned';
      const armored = keys.list();
      const key = `${id} ${createHash('sha256').update(JSON.stringify(armored)).digest('hex')}`;
      const known = results.get(key);
      if (known && clock.now() < known.until) return known.result;
      const result = await gpg.verify(signed, armored);
      if (results.size >= maxKnown) results.clear();
      results.set(key, { result, until: clock.now() + cacheMs });
      return result;
    },
  };
}

/** The resolved source: the name of its revision, and the commit that it points to. */
export interface ToVerify {
  readonly source: ApplicationSource;
  readonly requested: string;
  readonly revision: string;
  readonly ask: SourceAsk;
}

/** Throws unless the revision has the signature that the project requires. Sources that are not in Git have no commits to sign. */
export async function verifySource(
  { sources, signatures }: { readonly sources: Partial<Pick<Sources, 'signable'>>; readonly signatures: Signatures },
  project: AppProject,
  { source, requested, revision, ask }: ToVerify,
): Promise<void> {
  const policies = source.chart ? [] : signaturePolicies(project, source.repoURL);
  if (policies.length === 0) return;
  if (!sources.signable) throw new SignatureRefused(`${source.repoURL}: signatures cannot be checked here`);
  const object = await sources.signable(source, requested, revision, ask);
  if (!object) return;
  const what =
    object.type === 'tag' ? `the tag ${requested} of ${source.repoURL}` : `commit ${revision} of ${source.repoURL}`;
  const result = await signatures.check(object);
  const { name } = project.metadata;
  for (const { field, keys } of policies) {
    const asked = `project '${name}' requires a signature by one of ${keys.join(', ') || 'no key at all'} (${field})`;
    if (result === 'unsigned')
      throw new SignatureRefused(`${what} is not signed, and ${asked}: sign it, for example with git commit -S`);
    if (!result.good)
      throw new SignatureRefused(
        `${what} ${result.why}, and ${asked}: sign it with one of them, whose public half must be in ConfigMap argocd-gpg-keys-cm`,
      );
    const { fingerprints } = result;
    if (!keys.some((key) => fingerprints.some((fingerprint) => isKey(fingerprint, key))))
      throw new SignatureRefused(
        `${what} has a good signature by ${fingerprints.at(-1)?.slice(-16)}, and ${asked}: add the key there, or sign with another`,
      );
  }
}
