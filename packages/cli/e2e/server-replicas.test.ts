/** The event stream of the fleet API behind two replicas of `fairlead server`, as processes. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Application, applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { crdType, namespaceType, type Secret, secretType, secretValue } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { connect, Fairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const heavy = process.env['FAIRLEAD_E2E'] ? undefined : 'only in npm run e2e -- server-replicas';
const folder = temporaryFolder();
let cluster: EmbeddedCluster;
let hub: Awaited<ReturnType<typeof connect>>;
let replicas: readonly { readonly process: Fairlead; readonly url: string }[];
let token = '';
const kubeconfig = join(folder.path, 'kubeconfig');

before(async () => {
  if (heavy) return;
  cluster = await startEmbeddedCluster({ nodes: 0 });
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  hub = await connect(kubeconfig);
  for (const kind of [applicationKind, appProjectKind, applicationSetKind])
    await hub.client.create(crdType, crdOf(kind));
  await hub.client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
  // One after the other: the first creates the password.
  replicas = [await startReplica(), await startReplica()];
  const secret = await hub.client.get<Secret>(secretType, { namespace: 'argocd', name: 'argocd-initial-admin-secret' });
  const answer = await fetch(`${replicas[0]?.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: secretValue(secret, 'password') }),
  });
  ({ token } = (await answer.json()) as { token: string });
});

after(async () => {
  if (heavy) return folder.remove();
  await Promise.all(replicas.map(({ process }) => process.stop('SIGKILL')));
  await hub.close();
  await cluster.close();
  folder.remove();
});

async function startReplica(): Promise<{ process: Fairlead; url: string }> {
  const started = new Fairlead(['server', '--kubeconfig', kubeconfig, '--insecure', '--port', '0']);
  const line = await started.line('serving on ');
  return { process: started, url: /http:\S+?(?=;|$)/u.exec(line)?.[0] ?? '' };
}

const ask = (replica: number, path: string, more: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(`${replicas[replica]?.url}/api/fairlead/v1${path}`, {
    ...more,
    headers: { authorization: `Bearer ${token}`, ...more.headers },
  });

const application = (name: string, revision: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace: 'argocd', labels: { revision } },
  spec: {
    project: 'default',
    source: { repoURL: 'https://git.example.com/shop.git', path: '.' },
    destination: { name: 'in-cluster', namespace: name },
  },
});

interface Page {
  readonly version: string;
  readonly items: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>> }[];
}

/** Shows Applications as a page does: the lists, and events on top of them. Each connection may be to another replica. */
class FleetPage {
  readonly shown = new Map<string, string>();
  reloads = 0;
  lastId = '';
  /** Why the last stream has ended. */
  lost: unknown;
  #stop = new AbortController();
  #closed: Promise<void> = Promise.resolve();
  readonly #listFrom: () => number;

  constructor(listFrom: () => number) {
    this.#listFrom = listFrom;
  }

  async load(): Promise<void> {
    const since = this.lastId === '' ? '' : `&since=${this.lastId}`;
    const answer = await ask(this.#listFrom(), `/applications?limit=1000${since}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const page = JSON.parse(text) as Page;
    this.shown.clear();
    for (const { name, labels } of page.items) this.shown.set(name, labels['revision'] ?? '');
    if (this.lastId === '') this.lastId = page.version;
  }

  async follow(replica: number): Promise<void> {
    this.#stop.abort();
    await this.#closed;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const answer = await ask(replica, '/events', { signal, headers: { 'last-event-id': this.lastId } });
    this.#closed = this.#read(answer).catch((error: unknown) => {
      if (!signal.aborted) this.lost = error;
    });
  }

  async leave(): Promise<void> {
    this.#stop.abort();
    await this.#closed;
  }

  async #read(answer: Response): Promise<void> {
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) await this.#apply(block);
    }
  }

  async #apply(block: string): Promise<void> {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'mu').exec(block)?.[1] ?? '';
    this.lastId = field('id') || this.lastId;
    if (field('event') === 'reload') {
      this.reloads += 1;
      await this.load();
    }
    if (field('event') !== 'application') return;
    const { type, summary } = JSON.parse(field('data')) as { type: string; summary: Page['items'][number] };
    if (type === 'DELETED') this.shown.delete(summary.name);
    else this.shown.set(summary.name, summary.labels['revision'] ?? '');
  }
}

test('a client that changes between replicas all the time misses nothing', { skip: heavy }, async () => {
  let turn = 0;
  const page = new FleetPage(() => (turn += 1) % 2);
  await page.load();
  const truth = new Map<string, string>();
  for (let step = 0; step < 60; step++) {
    const name = `app-${(step * 7) % 11}`;
    const revision = String(step);
    if (truth.has(name) && step % 5 === 0) {
      await hub.client.delete(applicationKind.type, { namespace: 'argocd', name });
      truth.delete(name);
    } else if (truth.has(name)) {
      await hub.client.patch(applicationKind.type, { namespace: 'argocd', name }, 'merge', {
        metadata: { labels: { revision } },
      });
      truth.set(name, revision);
    } else {
      await hub.client.create(applicationKind.type, application(name, revision));
      truth.set(name, revision);
    }
    if (step % 4 === 0) await page.follow((step / 4) % 2);
  }
  const sorted = (map: ReadonlyMap<string, string>): string => JSON.stringify([...map].sort());
  await until(
    () => sorted(page.shown) === sorted(truth),
    5_000,
    () => `shown ${sorted(page.shown)}, but there are ${sorted(truth)}`,
  );
  assert.equal(page.lost, undefined);
  assert.ok(page.reloads >= 14, `each change of the replica is a reload: ${page.reloads}`);
  await page.leave();
});

test('a list waits for what another replica has sent, and is refused if that does not come', {
  skip: heavy,
}, async () => {
  const created = await hub.client.create(applicationKind.type, application('late', '1'));
  const version = BigInt(created.metadata.resourceVersion ?? '');
  const waiting = ask(1, `/applications?q=next&since=other-1-${version + 1n}`);
  const next = await hub.client.create(applicationKind.type, application('next', '1'));
  assert.equal(BigInt(next.metadata.resourceVersion ?? '') > version, true);
  const { items } = (await (await waiting).json()) as Page;
  assert.deepEqual(
    items.map(({ name }) => name),
    ['next'],
  );
  const never = await ask(1, `/facets?since=other-1-${version + 1_000_000n}`);
  assert.equal(never.status, 503);
  assert.match(await never.text(), /this replica has not seen the changes before that event yet: retry/u);
});

test('a replica that is killed: the stream goes on at the other one, after a reload', { skip: heavy }, async () => {
  const page = new FleetPage(() => 1);
  await page.load();
  await page.follow(0);
  await until(
    () => page.lastId !== '',
    5_000,
    () => 'the stream has started',
  );
  await replicas[0]?.process.stop('SIGKILL');
  await until(
    () => page.lost !== undefined,
    5_000,
    () => 'the stream has ended',
  );
  await hub.client.create(applicationKind.type, application('meanwhile', '1'));
  await page.follow(1);
  await until(
    () => page.shown.has('meanwhile') && page.reloads === 1,
    5_000,
    () => `${page.reloads} reloads, ${JSON.stringify([...page.shown])}`,
  );
  await page.leave();
});
