import { createHash } from 'node:crypto';
import { parseAllowedNetworks, textAt } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { createSources, type Trust, withNetworks } from '@fairlead/source';
import type { RepositoryProbe } from './probes.ts';

export interface RepositoryProbeOptions {
  readonly cacheDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly trust?: Trust;
  /** The non-public addresses that repositories may be on; all by default. */
  readonly allowedNetworks?: string;
}

/** Lists the references of a repository with the given credentials, as Argo CD will. */
export function repositoryProbe(options: RepositoryProbeOptions): { readonly probe: RepositoryProbe; close(): void } {
  const sources = createSources({
    cacheDir: options.cacheDir,
    environment: options.environment,
    clock: options.clock,
    pollMs: 3_600_000,
    allowLocal: false,
    ...(options.trust ? { trust: options.trust } : {}),
  });
  const networks = parseAllowedNetworks(options.allowedNetworks ?? '*');
  const probe: RepositoryProbe = async (repoURL, credentials) => {
    // A mirror is identified by the name of its credentials, so different contents must have different names.
    const content = createHash('sha256').update(JSON.stringify(credentials)).digest('hex').slice(0, 16);
    const named = withNetworks({ ...credentials, name: `${credentials.name}/${content}` }, networks);
    await sources.resolve({ repoURL }, 'HEAD', { credentials: named, fresh: true }).catch((error: unknown) => {
      // An empty repository can be opened all the same.
      if (textAt(error, 'reason') !== 'RevisionNotFound') throw error;
    });
  };
  return { probe, close: () => sources.close() };
}
