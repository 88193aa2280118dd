/**
 * Pre-pulling at size, and what it is for: `npm run bench -- prepull [fleet|rollout] [NODES] [IMAGES]`. The cluster, its simulated nodes and
 * the controllers share this process; pulls take the time that their image model gives them.
 */
import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import type { ApiClient, KubeObject } from '@fairlead/kube';
import type { Figure } from '../../../scripts/bench.ts';
import { deployment, image, namespace, registry, startWorld, types, until } from '../e2e/world.ts';

export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const parts = args.filter((word) => /^[a-z]/.test(word));
  const [nodes = 1000, images = 50] = args.filter((word) => /^\d/.test(word)).map(Number);
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  if (wanted('fleet')) yield* fleet(nodes, images);
  if (wanted('rollout')) yield* rollout();
}

const writes = ['create', 'replace', 'patch', 'delete'] as const;

/** Counts what the controllers write. */
function counted(client: ApiClient, count: () => void): ApiClient {
  return new Proxy(client, {
    get(target, name: keyof ApiClient) {
      const verb = target[name] as (...args: unknown[]) => unknown;
      return (...given: unknown[]) => {
        if ((writes as readonly string[]).includes(name)) count();
        return verb.apply(target, given);
      };
    },
  });
}

async function* fleet(nodes: number, images: number): AsyncGenerator<Figure> {
  let written = 0;
  const world = await startWorld({
    nodes,
    speed: 1,
    limits: { cluster: 500, node: 2 },
    wrap: (client) => counted(client, () => void (written += 1)),
  });
  try {
    for (const tenant of ['red', 'green', 'blue', 'grey', 'pink'])
      await world.client.create(types.namespace, namespace(tenant));
    const tenants = ['red', 'green', 'blue', 'grey', 'pink'];
    const began = performance.now();
    for (let i = 0; i < images; i++) {
      const spec = { image: `registry.test/image:${i}`, timeout: '1h' };
      await world.client.create(prePullImageKind.type, image(tenants[i % tenants.length]!, `image-${i}`, spec));
    }
    const finished = async () => {
      const { items } = await world.client.list<PrePullImage>(prePullImageKind.type);
      return items.every(({ status }) => status?.phase === 'Completed');
    };
    await until('every node has every image', async () => (await finished()) || pause(1000), 3_600_000);
    const seconds = (performance.now() - began) / 1000;
    const pulls = nodes * images;
    yield {
      name: `${nodes} nodes × ${images} images, until every node has every image`,
      value: seconds,
      unit: 's',
      note: `${Math.round(pulls / seconds)} pulls/s; API server, nodes and controllers share one process`,
    };
    yield { name: 'API writes a pull', value: written / pulls, unit: '', atMost: 4 };
  } finally {
    await world.close();
  }
}

const pause = async (ms: number): Promise<false> => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return false;
};

/** One Deployment, a replica a node, an image of 1 GB: from the change of the image until all replicas are there. */
async function* rollout(): AsyncGenerator<Figure> {
  const [nodes, speed] = [50, 10];
  const world = await startWorld({ nodes, speed, limits: { cluster: 50, node: 2 } });
  try {
    const sizes = Object.fromEntries(['cold', 'warm'].map((tag) => [`web:${tag}`, { megabytes: 1000 }]));
    await world.client.create(
      types.registry,
      registry('r', {
        host: 'registry.test',
        megabytesPerSecond: 50,
        images: { ...sizes, 'web:first': { megabytes: 1 } },
      }),
    );
    await world.client.create(types.namespace, namespace('shop'));
    const web = deployment('shop', 'web', 'registry.test/web:first') as KubeObject & {
      spec: { replicas: number; strategy?: object; template: { spec: Record<string, unknown> } };
    };
    web.metadata.labels = {};
    web.spec.replicas = nodes;
    web.spec.strategy = { rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' } };
    await world.client.create(types.deployment, web);
    await rolledOut(world.client);
    const change = async (tag: string): Promise<number> => {
      const began = performance.now();
      const path = '/spec/template/spec/containers/0/image';
      const patch = [{ op: 'replace', path, value: `registry.test/web:${tag}` }];
      await world.client.patch(types.deployment, { namespace: 'shop', name: 'web' }, 'json', patch);
      await rolledOut(world.client);
      return ((performance.now() - began) / 1000) * speed;
    };
    const cold = await change('cold');
    await world.client.create(prePullImageKind.type, image('shop', 'warm', { image: 'registry.test/web:warm' }));
    await until(
      'it is warm',
      async () => {
        const { status } = await world.client.get<PrePullImage>(prePullImageKind.type, {
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
      note: `${cold.toFixed(1)} s cold, ${warm.toFixed(1)} s warm, in simulated time`,
    };
  } finally {
    await world.close();
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
