import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, Informer, type Logger, type Random } from '@fairlead/kube';
import type { Trust } from '@fairlead/source';

/** The ConfigMaps with known hosts and certificates of repository servers. */
const knownHostsName = 'argocd-ssh-known-hosts-cm';
const certificatesName = 'argocd-tls-certs-cm';

/** Reads known hosts and certificates from the current ConfigMaps. */
export function trustIn(data: (name: string) => Readonly<Record<string, string>> | undefined): Required<Trust> {
  return {
    knownHosts: () => data(knownHostsName)?.['ssh_known_hosts'] ?? '',
    certificates: (host) => data(certificatesName)?.[host],
  };
}

/** Watches the ConfigMaps until the signal aborts; resolves after the first list. */
export async function followTrust(
  client: ApiClient,
  namespace: string,
  shared: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
  signal: AbortSignal,
): Promise<Trust> {
  const informers = [knownHostsName, certificatesName].map(
    (name) =>
      new Informer<ConfigMap>(client, configMapType, { namespace, fieldSelector: `metadata.name=${name}` }, shared),
  );
  for (const informer of informers) void informer.run(signal);
  await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
  const get = (name: string): ConfigMap | undefined =>
    informers.map((informer) => informer.get(`${namespace}/${name}`)).find((found) => found !== undefined);
  return trustIn((name) => get(name)?.data);
}
