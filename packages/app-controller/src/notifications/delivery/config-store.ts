import { type ConfigMap, configMapType, type Secret, secretType } from '@fairlead/apimachinery';
import type { Clock, Informer, InformerFactory } from '@fairlead/kube';
import { type NotificationsConfig, parseNotificationsConfig } from '../config/parse-config.ts';

export const notificationsConfigMap = 'argocd-notifications-cm';
export const notificationsSecret = 'argocd-notifications-secret';

/** The bytes of a Secret. */
export const secretBytes = (secret: Pick<Secret, 'data'> | undefined): ReadonlyMap<string, Buffer> =>
  new Map(Object.entries(secret?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]));

/** The configurations of namespaces, parsed when they are used first and after each change. */
export class ConfigStore {
  readonly #configMaps: Informer<ConfigMap>;
  readonly #secrets: Informer<Secret>;
  readonly #parsed = new Map<string, NotificationsConfig>();
  readonly #clock: Clock;

  constructor(
    informers: InformerFactory,
    {
      namespace,
      clock,
      changed,
    }: { namespace: string | undefined; clock: Clock; changed: (namespace: string) => void },
  ) {
    this.#clock = clock;
    const selection = (name: string) => ({
      fieldSelector: `metadata.name=${name}`,
      ...(namespace === undefined ? {} : { namespace }),
    });
    this.#configMaps = informers.informer<ConfigMap>(configMapType, selection(notificationsConfigMap));
    this.#secrets = informers.informer<Secret>(secretType, selection(notificationsSecret));
    const forget = ({ metadata }: { readonly metadata: { readonly namespace?: string } }): void => {
      const at = metadata.namespace ?? '';
      if (this.#parsed.delete(at)) changed(at);
    };
    const handler = {
      onAdd: forget,
      onUpdate: (_: unknown, object: ConfigMap | Secret) => forget(object),
      onDelete: forget,
    };
    this.#configMaps.addHandler(handler);
    this.#secrets.addHandler(handler);
  }

  /** Whether a namespace has its own configuration. */
  has(namespace: string): boolean {
    return this.#configMaps.get(`${namespace}/${notificationsConfigMap}`) !== undefined;
  }

  get(namespace: string): NotificationsConfig {
    const known = this.#parsed.get(namespace);
    if (known) return known;
    const config = parseNotificationsConfig({
      data: this.#configMaps.get(`${namespace}/${notificationsConfigMap}`)?.data ?? {},
      secrets: secretBytes(this.#secrets.get(`${namespace}/${notificationsSecret}`)),
      now: () => this.#clock.now(),
    });
    this.#parsed.set(namespace, config);
    return config;
  }
}
