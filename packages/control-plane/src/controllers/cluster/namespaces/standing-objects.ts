import type { KubeObject, Namespace, ResourceType } from '@fairlead/apimachinery';
import { configMapType, namespaceType, serviceAccountType } from '@fairlead/apimachinery';
import { Controller, done } from '@fairlead/kube';
import type { ControllerParts, MakeController } from '../../parts.ts';
import { forgiving } from '../forgiving.ts';

/** An object that exists in every namespace, and is restored after it was deleted or changed. */
interface StandingObject {
  readonly manager: string;
  readonly type: ResourceType;
  readonly object: Omit<KubeObject, 'metadata'> & { metadata: { name: string; annotations?: Record<string, string> } };
  /** The change of an existing object; undefined if it is up to date. */
  repair?(object: KubeObject): object | undefined;
}

function keepEverywhere(parts: ControllerParts, { manager, type, object, repair }: StandingObject): Controller {
  const client = parts.client(manager);
  const { name } = object.metadata;
  const namespaces = parts.informers.informer<Namespace>(namespaceType);
  const there = parts.informers.informer(type, { fieldSelector: `metadata.name=${name}` });
  const controller = new Controller({
    name: manager,
    concurrency: 4,
    clock: parts.clock,
    log: parts.log,
    async reconcile(namespace) {
      const home = namespaces.get(namespace);
      if (!home || home.metadata.deletionTimestamp) return done;
      const present = there.get(`${namespace}/${name}`);
      if (!present) {
        const missing = { ...object, metadata: { ...object.metadata, namespace } };
        await forgiving(client.create(type, missing));
        return done;
      }
      const change = repair?.(present);
      if (change) await forgiving(client.patch(type, present.metadata, 'merge', change));
      return done;
    },
  });
  controller.watch(namespaces);
  return controller.watch(there, ({ metadata }) => [metadata.namespace ?? '']);
}

export const defaultServiceAccounts: MakeController = (parts) =>
  keepEverywhere(parts, {
    manager: 'service-account-controller',
    type: serviceAccountType,
    object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  });

const descriptionKey = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

export const rootCertificates: MakeController = (parts) => {
  const data = { 'ca.crt': parts.ca };
  return keepEverywhere(parts, {
    manager: 'root-ca-cert-publisher',
    type: configMapType,
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kube-root-ca.crt', annotations: { [descriptionKey]: description } },
      data,
    } as StandingObject['object'],
    repair(object) {
      const present = (object as { data?: Record<string, string> }).data ?? {};
      const keys = Object.keys(present);
      const intact = keys.length === 1 && present['ca.crt'] === parts.ca;
      if (intact && object.metadata.annotations?.[descriptionKey]) return undefined;
      const surplus = keys.filter((key) => key !== 'ca.crt').map((key) => [key, null]);
      return {
        metadata: { annotations: { [descriptionKey]: description } },
        data: { ...Object.fromEntries(surplus), ...data },
      };
    },
  });
};
