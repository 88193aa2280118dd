import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import type { Figure } from '../../../scripts/bench.ts';
import { image, namespace, registry, startTestCluster, types, until } from '../test/support/cluster.ts';

const writes = ['create', 'replace', 'patch', 'delete'] as const;

/** Counts the writes of the controllers. */
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

const tenants = ['red', 'green', 'blue', 'grey', 'pink'];

/** Every node pulls every image. The cluster, its simulated nodes and the controllers share this process. */
async function* fleet(nodes: number, images: number): AsyncGenerator<Figure> {
  let written = 0;
  const env = await startTestCluster({
    nodes,
    speed: 1,
    limits: { cluster: 500, node: 2 },
    wrap: (client) => counted(client, () => void (written += 1)),
  });
  try {
    const { client } = env;
    const sizes = Array.from({ length: images }, (_, i) => [`image:${i}`, { megabytes: 100 }]);
    const model = { host: 'registry.test', megabytesPerSecond: 200, images: Object.fromEntries(sizes) };
    await client.create(types.registry, registry('r', model));
    for (const tenant of tenants) await client.create(types.namespace, namespace(tenant));
    const began = performance.now();
    const keys = Array.from({ length: images }, (_, i) => ({
      namespace: tenants[i % tenants.length]!,
      name: `image-${i}`,
    }));
    for (const [i, { namespace, name }] of keys.entries())
      await client.create(
        prePullImageKind.type,
        image(namespace, name, { image: `registry.test/image:${i}`, timeout: '1h' }),
      );
    const progress = setInterval(async () => {
      const done = /^kwarm_pulls_total\{status="success"\} (\d+)/m.exec(await env.metrics.text())?.[1] ?? 0;
      console.error(`${done} of ${nodes * images} pulls after ${Math.round((performance.now() - began) / 1000)} s`);
    }, 30_000).unref();
    for (const key of keys) await until(`all nodes have ${key.name}`, () => isPulled(client, key), 3_600_000, 500);
    clearInterval(progress);
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
    await env.close();
  }
}

async function isPulled(client: ApiClient, key: { namespace: string; name: string }): Promise<boolean> {
  const { status } = await client.get<PrePullImage>(prePullImageKind.type, key);
  if (status?.phase === 'Failed') throw new Error(`${key.name}: ${status.conditions?.[0]?.message}`);
  return status?.phase === 'Completed';
}

const [nodes = 1000, images = 50] = process.argv.slice(2).map(Number);
for await (const figure of fleet(nodes, images)) process.send!(figure);
process.disconnect();
