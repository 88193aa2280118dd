import { type KubeObject, namespaceType } from '@fairlead/apimachinery';
import { Informer, type Logger } from '@fairlead/kube';
import {
  destinationCluster,
  isClusterSecret,
  type KnownCluster,
  knownClusters,
} from '../../applications/destination.ts';
import type { Server } from '../../server.ts';
import type { Names } from './summary.ts';

type Destination = Parameters<Names['cluster']>[0];

/**
 * Names of clusters from their Secrets, and of tenants from their namespaces. Namespaces are watched only if an Application has a tenant; a server
 * that may not list them shows the uid of the namespace.
 */
export class FleetNames implements Names {
  readonly #server: Server;
  readonly #onChange: () => void;
  readonly #signal: AbortSignal;
  #clusters: readonly KnownCluster[] | undefined;
  readonly #tenants = new Map<string, string>();
  #isWatchingNamespaces = false;

  constructor(server: Server, signal: AbortSignal, onChange: () => void) {
    this.#server = server;
    this.#signal = signal;
    this.#onChange = onChange;
    const changed = (): void => {
      this.#clusters = undefined;
      onChange();
    };
    const changedIfCluster = (...secrets: Parameters<typeof isClusterSecret>[0][]): void => {
      if (secrets.some(isClusterSecret)) changed();
    };
    const remove = server.state.secrets.addHandler({
      onAdd: (secret, initial) => {
        if (!initial) changedIfCluster(secret);
      },
      onUpdate: changedIfCluster,
      onDelete: (secret) => changedIfCluster(secret),
    });
    signal.addEventListener('abort', remove, { once: true });
  }

  cluster(destination: Destination): { readonly name: string; readonly server: string } {
    this.#clusters ??= knownClusters(this.#server.state.secrets.list());
    const found = destinationCluster(destination, this.#clusters);
    const { name = '', server = '' } = typeof found === 'string' ? destination : found;
    return { name: name || server, server };
  }

  tenant(uid: string): string {
    if (!this.#isWatchingNamespaces) this.#watchNamespaces(this.#server.log);
    return this.#tenants.get(uid) ?? uid;
  }

  #watchNamespaces(log: Logger): void {
    this.#isWatchingNamespaces = true;
    const { client, clock } = this.#server.state;
    const { random } = this.#server.options;
    const transform = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => {
      const { name, uid, resourceVersion } = metadata;
      return { apiVersion, kind, metadata: { name, ...defined({ uid, resourceVersion }) } };
    };
    const namespaces = new Informer<KubeObject>(client, namespaceType, {}, { clock, random, log, transform });
    const put = ({ metadata: { uid, name } }: KubeObject): void => {
      if (uid === undefined || this.#tenants.get(uid) === name) return;
      this.#tenants.set(uid, name);
      this.#onChange();
    };
    namespaces.addHandler({
      onAdd: put,
      onUpdate: (_, namespace) => put(namespace),
      onDelete: ({ metadata: { uid } }) => {
        if (uid !== undefined && this.#tenants.delete(uid)) this.#onChange();
      },
    });
    void namespaces.run(this.#signal);
  }
}

function defined(values: { readonly uid: string | undefined; readonly resourceVersion: string | undefined }) {
  const { uid, resourceVersion } = values;
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}
