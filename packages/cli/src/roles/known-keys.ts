import type { KubeObject } from '@fairlead/apimachinery';
import type { KnownKeys } from '@fairlead/app-controller';
import { type ApiClient, type Clock, Informer, type Logger, type Random } from '@fairlead/kube';
import { controlPlaneNamespace } from '../install.ts';
import { configMapType } from './trust.ts';

/** Where Argo CD keeps the public keys that commits may be signed with: one a key, armored. */
const name = 'argocd-gpg-keys-cm';

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** Follows the ConfigMap until the signal aborts; resolves once it is known. It need not be there. */
export async function followKnownKeys(
  client: ApiClient,
  shared: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
  signal: AbortSignal,
): Promise<KnownKeys> {
  const namespace = controlPlaneNamespace;
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  const informer = new Informer<ConfigMap>(client, configMapType, selection, shared);
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  informer.addHandler({ onAdd: tell, onUpdate: tell, onDelete: tell });
  void informer.run(signal);
  await informer.waitForSync(signal);
  return {
    list: () => Object.values(informer.get(`${namespace}/${name}`)?.data ?? {}),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
