import { daemonSetType, podType } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import { revisionType } from '../../resource-types.ts';
import { claimAll } from '../claim.ts';
import { claimable } from '../dependents.ts';
import type { ControllerRevision, DaemonSet, Pod } from '../kinds.ts';
import type { Writer } from '../own-writes.ts';
import { byRevision, createRevision, deleteRevision, sameData, templatePatch } from '../revision-history.ts';
import { matcherOf } from '../selectors.ts';
import { hashLabel } from './daemon-pods.ts';

export interface SettledHistory {
  /** The revision of the current template. */
  readonly current: ControllerRevision;
  readonly old: readonly ControllerRevision[];
  readonly collisions: number | undefined;
}

/** Maintains the revisions of a DaemonSet. */
export class DaemonHistory {
  readonly #client: Writer;
  readonly #revisions: Informer<ControllerRevision>;

  constructor(client: Writer, revisions: Informer<ControllerRevision>) {
    this.#client = client;
    this.#revisions = revisions;
  }

  /** The revision of the current template has the highest number; it is created if it is missing. */
  async settle(set: DaemonSet, pods: readonly Pod[]): Promise<SettledHistory> {
    const all = await this.#claim(set);
    const patch = { data: templatePatch(set.spec.template) };
    const equal = all.filter((revision) => sameData(revision, patch));
    const old = all.filter((revision) => !equal.includes(revision));
    const next = Math.max(0, ...old.map(({ revision }) => revision)) + 1;
    const { collisionCount } = set.status ?? {};
    const kept = equal.at(-1);
    if (!kept) {
      const desired = { type: daemonSetType, owner: set, template: set.spec.template, hashLabel, revision: next };
      const { revision, collisions } = await createRevision(this.#client, desired, collisionCount ?? 0);
      return { current: revision, old, collisions: collisions || undefined };
    }
    for (const double of equal.slice(0, -1)) await this.#merge(double, kept, pods);
    const current = kept.revision < next ? await this.#client.replace(revisionType, { ...kept, revision: next }) : kept;
    return { current, old, collisions: collisionCount };
  }

  /** The oldest that no pod runs are deleted first. */
  async prune(set: DaemonSet, pods: readonly Pod[], old: readonly ControllerRevision[]): Promise<void> {
    const surplus = old.length - (set.spec.revisionHistoryLimit ?? 10);
    const live = new Set(pods.map(({ metadata }) => metadata.labels?.[hashLabel]));
    const idle = old.filter(({ metadata }) => !live.has(metadata.labels?.[hashLabel]));
    for (const revision of idle.slice(0, Math.max(0, surplus))) await deleteRevision(this.#client, revision);
  }

  async #claim(set: DaemonSet): Promise<ControllerRevision[]> {
    const matcher = matcherOf(set.spec.selector);
    const candidates = claimable(this.#revisions, set);
    const claimant = { client: this.#client, ownerType: daemonSetType, owner: set, type: revisionType };
    const claimed = await claimAll(claimant, candidates, ({ metadata }) => matcher.matches(metadata.labels));
    return claimed.sort(byRevision);
  }

  /** Two revisions of one template: the pods of one are relabelled to the other. */
  async #merge(double: ControllerRevision, kept: ControllerRevision, pods: readonly Pod[]): Promise<void> {
    const hash = double.metadata.labels?.[hashLabel];
    const labels = { [hashLabel]: kept.metadata.labels?.[hashLabel] };
    for (const { metadata } of pods) {
      if (metadata.labels?.[hashLabel] === hash)
        await this.#client.patch(podType, metadata, 'merge', { metadata: { labels } });
    }
    await deleteRevision(this.#client, double);
  }
}
