import { type Application, applicationKind, type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import {
  type ConfigMap,
  configMapType,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  messageOf,
  type ResourceType,
} from '@fairlead/apimachinery';
import type { ApiClient, Random } from '@fairlead/kube';
import { registryName } from './process-specs.ts';
import { type Slot, slotFiles } from './slots.ts';
import { imagesRepository, type Stage } from './stage.ts';

const finalizer = 'resources-finalizer.argocd.argoproj.io';
const updater = 'argocd-image-updater.argoproj.io';

export interface MissingSlot {
  readonly slot: Slot;
  /** What is deployed instead, if anything is. */
  readonly live: string | undefined;
}

/** Changes of every kind that users, Git hosts and registries make, and what must be deployed afterwards. */
export class Churn {
  readonly slots: readonly Slot[];
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #counts = new Map<string, number>();
  #tag = 0;

  constructor(stage: Stage, slots: readonly Slot[], random: Random) {
    this.#stage = stage;
    this.slots = slots;
    this.#random = random;
  }

  /** How often each change was made. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  async seed(): Promise<void> {
    const byRepository = Map.groupBy(this.slots, ({ repository }) => repository);
    for (const [repository, slots] of byRepository) await this.#commit(repository, slots);
    for (const slot of this.slots) await this.#create(slot);
    if (!this.#stage.process('images')) return;
    await this.#stage.git.commit(imagesRepository, { storefront: storefrontFiles });
    await this.#stage.hub.create(applicationKind.type, storefront(this.#stage.git.url(imagesRepository)));
  }

  /** One random change. An error of the API while a part restarts is a failed attempt, and counted as one. Returns a line for it. */
  async change(): Promise<string | undefined> {
    const [name, run] = this.#pick(this.#changes());
    try {
      await run();
      this.#count(name);
      return undefined;
    } catch (error) {
      this.#count(`${name} failed`);
      return `${name} failed: ${messageOf(error)}`;
    }
  }

  /** Makes all slots present, so that the end can be checked. To be repeated while deletions are in progress. */
  async complete(): Promise<void> {
    for (const slot of this.slots) await this.#create(slot);
  }

  /** The slots that are not deployed as they were committed. */
  async missing(): Promise<MissingSlot[]> {
    const found = await Promise.all(
      this.slots.map(async (slot) => {
        const live = await find<ConfigMap>(this.#clusterOf(slot), slot.namespace, slot.name);
        return live?.data?.['n'] === String(slot.n) ? [] : [{ slot, live: live?.data?.['n'] }];
      }),
    );
    return found.flat();
  }

  #changes(): [string, () => Promise<unknown>][] {
    const slot = this.#pick(this.slots);
    const cluster = this.#clusterOf(slot);
    const key = { namespace: slot.namespace, name: slot.name };
    const commits: [string, () => Promise<unknown>][] = Array.from({ length: 4 }, () => [
      'commit',
      () => this.#commit(slot.repository, this.#pickSome(slot)),
    ]);
    return [
      ...commits,
      ['drift', () => cluster.patch(configMapType, key, 'merge', { data: { drift: String(this.#random()) } })],
      ['deletion of a live object', () => cluster.delete(configMapType, key)],
      ['deletion or creation of an Application', () => (slot.isPresent ? this.#delete(slot) : this.#create(slot))],
      ['refresh', () => this.#refresh(slot)],
      ['invalid webhook', () => this.#post('{"ref": 1, "commits": [', {})],
      ...(this.#stage.process('images') && this.#random() < 0.2
        ? [['new image', () => this.#stage.pushTag(`1.${++this.#tag}.0`)] as [string, () => Promise<unknown>]]
        : []),
    ];
  }

  async #commit(repository: string, slots: readonly Slot[]): Promise<void> {
    const changed = slots.map((slot) => ({ slot, n: slot.n + 1 }));
    const folders = changed.map(
      ({ slot, n }) => [slot.name, slotFiles(slot.name, n, this.slots.indexOf(slot))] as const,
    );
    await this.#stage.git.commit(repository, Object.fromEntries(folders));
    for (const { slot, n } of changed) slot.n = n;
    const url = this.#stage.git.url(repository);
    const project = { web_url: url, default_branch: 'main' };
    const push = JSON.stringify({ object_kind: 'push', ref: 'refs/heads/main', project });
    // While the controller restarts, the next poll of the repository finds the commit.
    await this.#post(push, { 'x-gitlab-event': 'Push Hook' }).catch(() => this.#count('webhook failed'));
  }

  async #post(body: string, headers: Record<string, string>): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(this.#stage.webhook, { method: 'POST', body, headers, signal });
    await answer.arrayBuffer();
  }

  async #create(slot: Slot): Promise<void> {
    const source = { repoURL: this.#stage.git.url(slot.repository), path: slot.name, targetRevision: 'main' };
    if (slot.kind === 'tenant') {
      await this.#createObject<GitOpsDeployment>(gitopsDeploymentKind.type, {
        apiVersion: 'managed-gitops.redhat.com/v1alpha1',
        kind: 'GitOpsDeployment',
        metadata: {
          namespace: slot.namespace,
          name: slot.name,
          finalizers: ['resources-finalizer.managed-gitops.redhat.com'],
        },
        spec: { source, type: 'automated' },
      });
    } else {
      await this.#createObject<Application>(applicationKind.type, {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { namespace: controlNamespace(slot), name: slot.name, finalizers: [finalizer] },
        spec: {
          project: 'default',
          source,
          destination: { name: 'in-cluster', namespace: slot.namespace },
          syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
        },
      });
    }
    slot.isPresent = true;
  }

  async #delete(slot: Slot): Promise<void> {
    const type = slot.kind === 'tenant' ? gitopsDeploymentKind.type : applicationKind.type;
    await this.#stage.hub
      .delete(type, { namespace: controlNamespace(slot), name: slot.name })
      .catch(unless(isNotFound));
    slot.isPresent = false;
  }

  async #createObject<T extends KubeObject>(type: ResourceType, object: T): Promise<void> {
    await this.#stage.hub.create(type, object).catch(unless(isAlreadyExists));
  }

  async #refresh(slot: Slot): Promise<void> {
    if (slot.kind === 'tenant') return;
    const level = this.#random() < 0.5 ? 'hard' : 'normal';
    const key = { namespace: controlNamespace(slot), name: slot.name };
    await this.#stage.hub.patch(applicationKind.type, key, 'merge', {
      metadata: { annotations: { 'argocd.argoproj.io/refresh': level } },
    });
  }

  #clusterOf = ({ kind }: Slot): ApiClient => (kind === 'edge' ? this.#stage.edge : this.#stage.hub);

  #pickSome(slot: Slot): Slot[] {
    const others = this.slots.filter((other) => other !== slot && other.repository === slot.repository);
    return [slot, ...others.filter(() => this.#random() < 0.1)];
  }

  #pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T;
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

const controlNamespace = ({ kind, namespace }: Slot): string =>
  kind === 'tenant' ? namespace : kind === 'edge' ? 'edge' : 'argocd';

/** An attempt whose answer was lost may have succeeded. */
export const unless =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): void => {
    if (!isExpected(error)) throw error;
  };

async function find<T extends KubeObject>(client: ApiClient, namespace: string, name: string): Promise<T | undefined> {
  try {
    return await client.get<T>(configMapType, { namespace, name }, { signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Its image follows the registry, and is pulled on the nodes before the commit. */
const storefront = (repoURL: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    namespace: 'argocd',
    name: 'storefront',
    finalizers: [finalizer],
    annotations: {
      'fairlead.dev/prepull': 'true',
      [`${updater}/image-list`]: `web=${registryName}/web:^1`,
      [`${updater}/write-back-method`]: 'git',
      [`${updater}/write-back-target`]: 'kustomization',
    },
  },
  spec: {
    project: 'default',
    source: { repoURL, path: 'storefront', targetRevision: 'main' },
    destination: { name: 'in-cluster', namespace: 'storefront' },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  },
});

const storefrontFiles = {
  'kustomization.yaml': `resources: [deployment.yaml]\nimages:\n- name: ${registryName}/web\n  newTag: 1.0.0\n`,
  'deployment.yaml': JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'storefront' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'storefront' } },
      template: {
        metadata: { labels: { app: 'storefront' } },
        spec: { containers: [{ name: 'web', image: `${registryName}/web` }] },
      },
    },
  }),
};
