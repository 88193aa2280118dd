import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import type { KnownKeys } from '@fairlead/app-controller';
import { type ApiClient, type Clock, Informer, type Logger, type Random } from '@fairlead/kube';

/** The ConfigMap with the public keys for commit signatures: one armored key per entry. */
const name = 'argocd-gpg-keys-cm';

/** Watches the ConfigMap until the signal aborts; resolves after the first list. The ConfigMap is optional. */
export async function followKnownKeys(
  client: ApiClient,
  namespace: string,
  shared: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
  signal: AbortSignal,
): Promise<KnownKeys> {
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  const informer = new Informer<ConfigMap>(client, configMapType, selection, shared);
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  informer.addHandler({ onAdd: notify, onUpdate: notify, onDelete: notify });
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
