import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { Figure } from '../../../scripts/bench.ts';
import { deployment, image, namespace, registry, startTestCluster, types, until } from '../test/support/cluster.ts';

/** One Deployment, one replica per node, an image of 1 GB: from the change of the image until all replicas are ready. */
export async function* rollout(): AsyncGenerator<Figure> {
  const [nodes, speed] = [50, 5];
  const env = await startTestCluster({ nodes, speed, limits: { cluster: 50, node: 2 } });
  try {
    const sizes = Object.fromEntries(['cold', 'warm'].map((tag) => [`web:${tag}`, { megabytes: 1000 }]));
    await env.client.create(
      types.registry,
      registry('r', {
        host: 'registry.test',
        megabytesPerSecond: 50,
        images: { ...sizes, 'web:first': { megabytes: 1 } },
      }),
    );
    await env.client.create(types.namespace, namespace('shop'));
    const web = deployment('shop', 'web', 'registry.test/web:first') as KubeObject & {
      spec: { replicas: number; strategy?: object; template: { spec: Record<string, unknown> } };
    };
    web.metadata.labels = {};
    web.spec.replicas = nodes;
    web.spec.strategy = { rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' } };
    await env.client.create(types.deployment, web);
    await rolledOut(env.client);
    const change = async (tag: string): Promise<number> => {
      const began = performance.now();
      const path = '/spec/template/spec/containers/0/image';
      const patch = [{ op: 'replace', path, value: `registry.test/web:${tag}` }];
      await env.client.patch(types.deployment, { namespace: 'shop', name: 'web' }, 'json', patch);
      await rolledOut(env.client);
      return ((performance.now() - began) / 1000) * speed;
    };
    const cold = await change('cold');
    await env.client.create(prePullImageKind.type, image('shop', 'warm', { image: 'registry.test/web:warm' }));
    await until(
      'it is warm',
      async () => {
        const { status } = await env.client.get<PrePullImage>(prePullImageKind.type, {
          namespace: 'shop',
          name: 'warm',
        });
        return status?.phase === 'Completed';
      },
      120_000,
    );
    const warm = await change('warm');
    yield {
      name: `rollout of a 1 GB image over ${nodes} nodes, cold against pre-pulled`,
      value: cold / warm,
      unit: 'times',
      atLeast: 1,
      note: `${cold.toFixed(1)} s cold, ${warm.toFixed(1)} s warm, in simulated time`,
    };
  } finally {
    await env.close();
  }
}

async function rolledOut(client: ApiClient): Promise<void> {
  interface Rollout extends KubeObject {
    spec: { replicas: number };
    status?: { observedGeneration?: number; updatedReplicas?: number; availableReplicas?: number; replicas?: number };
  }
  await until(
    'it has rolled out',
    async () => {
      const { metadata, spec, status } = await client.get<Rollout>(types.deployment, {
        namespace: 'shop',
        name: 'web',
      });
      return (
        status?.observedGeneration === metadata.generation &&
        status?.updatedReplicas === spec.replicas &&
        status?.availableReplicas === spec.replicas &&
        status?.replicas === spec.replicas
      );
    },
    300_000,
  );
}
