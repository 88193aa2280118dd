import type { KubeObject } from '@fairlead/apimachinery';
import { bootstrapPolicy } from './access/index.ts';
import type { User } from './resource.ts';
import type { Api } from './verbs/api.ts';
import { draftCopy } from './verbs/api.ts';
import { createObject } from './verbs/create.ts';

const object = (apiVersion: string, kind: string, metadata: object, rest: object = {}): KubeObject =>
  ({ apiVersion, kind, metadata, ...rest }) as KubeObject;

/** The initial objects of every cluster, besides its access rules. */
const standing: readonly { resource: string; object: KubeObject }[] = [
  ...['kube-system', 'default', 'kube-public', 'kube-node-lease'].map((name) => ({
    resource: 'core/namespaces',
    object: object('v1', 'Namespace', { name }),
  })),
  ...(
    [
      ['system-cluster-critical', 2_000_000_000],
      ['system-node-critical', 2_000_001_000],
    ] as const
  ).map(([name, value]) => ({
    resource: 'scheduling.k8s.io/priorityclasses',
    object: object(
      'scheduling.k8s.io/v1',
      'PriorityClass',
      { name },
      {
        value,
        description: 'For the parts that a cluster cannot run without.',
      },
    ),
  })),
  {
    resource: 'core/services',
    object: object(
      'v1',
      'Service',
      { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
      { spec: { clusterIP: '10.0.0.1', ports: [{ name: 'https', port: 443, targetPort: 6443, protocol: 'TCP' }] } },
    ),
  },
];

/** Creates missing objects; never changes existing ones. */
export async function bootstrap(api: Api, user: User): Promise<void> {
  const waits: Promise<void>[] = [];
  for (const { resource: storage, object } of [...standing, ...bootstrapPolicy()]) {
    const namespace = object.metadata.namespace ?? '';
    const resource = api.registry.stored(storage);
    if (!resource || api.storage.head(storage, namespace, object.metadata.name)) continue;
    const request = {
      resource,
      namespace,
      name: '',
      subresource: '',
      user,
      manager: 'kube-apiserver',
      dryRun: false,
      warn: () => {},
    };
    waits.push(createObject(api, request, draftCopy(object)).durable);
  }
  await Promise.all(waits);
}
