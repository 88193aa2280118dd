import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startNeighbour } from '@fairlead/kube/testing';
import { type ImageNeighbour, startImageNeighbour } from '../support/image-neighbour.ts';
import { until } from '../support/updater-setup.ts';

const [pages, perPage] = [50, 2_000];
let images: ImageNeighbour;

/** A registry with 100,000 long tags, in pages. */
const bodies = Array.from({ length: pages }, (_, page) =>
  JSON.stringify({
    name: 'hostile',
    tags: Array.from({ length: perPage }, (_, i) => `1.${page}.${i}-${'a'.repeat(100)}`),
  }),
);
let lists = 0;
const registry = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://registry');
  if (!url.pathname.endsWith('/tags/list')) return void response.writeHead(200).end('{}');
  const page = Number(url.searchParams.get('last') ?? 0);
  const next = page + 1 < pages ? { link: `<${url.pathname}?last=${page + 1}>; rel="next"` } : {};
  if (page + 1 === pages) lists += 1;
  response.writeHead(200, { 'content-type': 'application/json', ...next }).end(bodies[page]);
});
const host = (): string => `127.0.0.1:${(registry.address() as AddressInfo).port}`;

before(async () => {
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  images = await startImageNeighbour(host());
});
after(async () => {
  await images.close();
  registry.closeAllConnections();
  registry.close();
});

const updater = 'argocd-image-updater.argoproj.io';

/** Each takes exponential time as a regular expression that backtracks. */
const patterns: readonly Readonly<Record<string, string>>[] = [
  { [`${updater}/web.ignore-tags`]: '*a*a*a*a*a*b' },
  { [`${updater}/web.ignore-tags`]: `${'*a'.repeat(50)}*b, ${'?*'.repeat(60)}!` },
  { [`${updater}/web.allow-tags`]: 'regexp:^(a|a?)+(([a-z0-9.-]+)+)+!$' },
];

test('patterns for tags that take exponential time, for 100,000 tags, delay no image of another Application', async (t) => {
  const { stop, running } = await images.start({ mode: 'continuous' });
  t.after(() => {
    stop.abort();
    return running.stopped;
  });
  const neighbour = await startNeighbour(images.deliver);
  for (const [n, annotations] of patterns.entries()) {
    await images.addApplication(`hostile-${n}`, `${host()}/hostile-${n}`, annotations);
  }
  await until(
    () => lists > 0,
    () => 'the tags were not read',
  );
  await neighbour.assertUnaffected();
});
