import {
  type Agent,
  type Application,
  type ApplicationSet,
  type AppProject,
  agentKind,
  applicationKind,
  applicationSetKind,
  appProjectKind,
} from '@fairlead/api';
import {
  type ConfigMap,
  configMapType,
  isConflict,
  type KubeObject,
  keyOf,
  type Secret,
  secretType,
  secretValue,
} from '@fairlead/apimachinery';
import { type ApiClient, type Clock, Informer, type Logger, type Random } from '@fairlead/kube';
import { type Account, readAccounts } from '../accounts/account.ts';
import { Enforcer } from '../rbac/enforcer.ts';
import { PolicyError } from '../rbac/policy-line.ts';
import { emptyRbacConfig, type RbacConfig, readRbacConfig } from '../rbac/rbac-config.ts';
import { managedByAnnotation, managedByArgoCd, secretTypeLabel } from './secret-labels.ts';

export interface ServerStateOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Applications of other namespaces are served too. */
  readonly allNamespaces: boolean;
}

type Data = Readonly<Record<string, string>>;

const noData: Data = {};

/** How long a write waits until the watch has seen it. */
const seenMs = 3_000;

/** What the server knows of the installation, from watches. Every write of this server can be read at once. */
export class ServerState {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly applications: Informer<Application>;
  /** For events: a cluster may have no such kind, so nothing waits for them. */
  readonly applicationSets: Informer<ApplicationSet>;
  readonly projects: Informer<AppProject>;
  readonly secrets: Informer<Secret>;
  /** None on a cluster without this kind. */
  readonly agents: Informer<Agent>;
  readonly configMaps: Informer<ConfigMap>;
  readonly #log: Logger;
  #rbac: { readonly data: Data | undefined; readonly enforcer: Enforcer };
  #accounts: { readonly of: readonly unknown[]; readonly accounts: ReadonlyMap<string, Account> } | undefined;

  constructor({ client, namespace, clock, random, log, allNamespaces }: ServerStateOptions) {
    this.client = client;
    this.namespace = namespace;
    this.clock = clock;
    this.#log = log;
    const shared = { clock, random, log };
    const here = { namespace };
    this.applications = new Informer<Application>(client, applicationKind.type, allNamespaces ? {} : here, shared);
    this.applicationSets = new Informer<ApplicationSet>(
      client,
      applicationSetKind.type,
      allNamespaces ? {} : here,
      shared,
    );
    this.projects = new Informer<AppProject>(client, appProjectKind.type, here, shared);
    this.secrets = new Informer<Secret>(client, secretType, here, shared);
    this.agents = new Informer<Agent>(client, agentKind.type, here, shared);
    this.configMaps = new Informer<ConfigMap>(client, configMapType, here, shared);
    this.#rbac = { data: undefined, enforcer: this.#enforcerOf(emptyRbacConfig) };
  }

  /** Follows the cluster until the signal aborts; resolves once everything is known. */
  async start(signal: AbortSignal): Promise<void> {
    const informers = [this.applications, this.projects, this.secrets, this.configMaps];
    for (const informer of informers) void informer.run(signal);
    void this.applicationSets.run(signal);
    void this.agents.run(signal);
    await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
  }

  /** The data of a ConfigMap in the server's namespace. */
  configMap(name: string): Data {
    return this.configMaps.get(`${this.namespace}/${name}`)?.data ?? noData;
  }

  secret(name: string): Secret | undefined {
    return this.secrets.get(`${this.namespace}/${name}`);
  }

  agent(name: string): Agent | undefined {
    return this.agents.get(`${this.namespace}/${name}`);
  }

  get settings(): Data {
    return this.configMap('argocd-cm');
  }

  /** The data of `argocd-secret`, as text. */
  get secretData(): Data {
    const secret = this.secret('argocd-secret');
    if (!secret) return noData;
    return Object.fromEntries(Object.keys(secret.data ?? {}).map((key) => [key, secretValue(secret, key) ?? '']));
  }

  get accounts(): ReadonlyMap<string, Account> {
    const of = [this.settings, this.secret('argocd-secret')];
    if (this.#accounts?.of.every((one, i) => one === of[i])) return this.#accounts.accounts;
    const accounts = readAccounts({ settings: this.settings, secret: this.secretData });
    this.#accounts = { of, accounts };
    return accounts;
  }

  project(name: string): AppProject | undefined {
    return this.projects.get(`${this.namespace}/${name}`);
  }

  /** A policy that cannot be read is reported, and the last one that could stays in force. */
  get enforcer(): Enforcer {
    const data = this.configMap('argocd-rbac-cm');
    if (data === this.#rbac.data) return this.#rbac.enforcer;
    try {
      this.#rbac = { data, enforcer: this.#enforcerOf(readRbacConfig(data)) };
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      this.#log.error('ConfigMap argocd-rbac-cm is invalid: the policy before it stays in force', { error });
      this.#rbac = { data, enforcer: this.#rbac.enforcer };
    }
    return this.#rbac.enforcer;
  }

  #enforcerOf(config: RbacConfig): Enforcer {
    return new Enforcer(config, (name) => this.project(name));
  }

  /** Waits until the watch has this state of an object, or a later one. */
  async seen<T extends KubeObject>(informer: Informer<T>, written: T): Promise<T> {
    const version = Number(written.metadata.resourceVersion);
    const isSeen = (): boolean => Number(informer.get(keyOf(written))?.metadata.resourceVersion ?? 0) >= version;
    await this.#until(informer, isSeen);
    return written;
  }

  /** Waits until the watch has seen that an object is deleted, or waits for its finalizers. */
  async gone<T extends KubeObject>(informer: Informer<T>, key: string, uid: string | undefined): Promise<void> {
    await this.#until(informer, () => {
      const found = informer.get(key);
      return !found || found.metadata.uid !== uid || found.metadata.deletionTimestamp !== undefined;
    });
  }

  #until<T extends KubeObject>(informer: Informer<T>, isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    return new Promise((resolve) => {
      let cancel = (): void => {};
      const check = (): void => {
        if (!isDone()) return;
        cancel();
        remove();
        resolve();
      };
      const remove = informer.addHandler({ onAdd: check, onUpdate: check, onDelete: check });
      cancel = this.clock.after(seenMs, () => {
        remove();
        resolve();
      });
      check();
    });
  }

  /** Changes the data of a ConfigMap; it is created if it does not exist. `undefined` removes a key. */
  async changeConfigMap(
    name: string,
    change: (data: Data) => Readonly<Record<string, string | undefined>>,
  ): Promise<void> {
    await this.#retried(async () => {
      const found = this.configMaps.get(`${this.namespace}/${name}`);
      const data = defined({ ...found?.data, ...change(found?.data ?? noData) });
      const object: ConfigMap = {
        ...(found ?? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: this.namespace } }),
        data,
      };
      const write = found ? this.client.replace(configMapType, object) : this.client.create(configMapType, object);
      await this.seen(this.configMaps, await write);
    });
  }

  /** Changes keys of `argocd-secret`. `undefined` removes a key. */
  async changeSecret(change: Readonly<Record<string, string | undefined>>): Promise<void> {
    await this.#retried(async () => {
      const name = 'argocd-secret';
      const found = this.secret(name);
      const changed = Object.fromEntries(
        Object.entries(change).map(([key, text]) => [key, text === undefined ? undefined : base64(text)]),
      );
      const data = defined({ ...found?.data, ...changed });
      const object: Secret = {
        ...(found ?? { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: this.namespace } }),
        data,
      };
      const write = found ? this.client.replace(secretType, object) : this.client.create(secretType, object);
      await this.seen(this.secrets, await write);
    });
  }

  /**
   * Removes a Secret that describes a repository or a cluster. One that somebody else has made stays, and no longer describes
   * anything.
   */
  async releaseSecret(secret: Secret): Promise<void> {
    const { name = '', namespace = '', uid, labels = {}, annotations = {} } = secret.metadata;
    if (annotations[managedByAnnotation] === managedByArgoCd) {
      await this.client.delete(secretType, { namespace, name });
      return this.gone(this.secrets, keyOf(secret), uid);
    }
    const { [secretTypeLabel]: _, ...others } = labels;
    const released = { ...secret, metadata: { ...secret.metadata, labels: others } };
    await this.seen(this.secrets, await this.client.replace(secretType, released));
  }

  async #retried(write: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (!isConflict(error) || attempt === 5) throw error;
        await new Promise<void>((resolve) => void this.clock.after(50 * attempt, resolve));
      }
    }
  }
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

const defined = (data: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])));
