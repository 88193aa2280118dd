import { createHash } from 'node:crypto';
import { getOrCreate } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import type { ImageRule } from '../config/image-rule.ts';
import { isTimeSorted } from '../config/registries-conf.ts';
import { type RegistryEndpoint, type RegistryEndpoints, repositoryAt } from '../config/registry-endpoints.ts';
import {
  type CredentialPolicy,
  checkImageCredentials,
  parseCredentialReference,
} from '../credentials/credential-reference.ts';
import type { Login } from '../credentials/docker-config.ts';
import { EndpointCredentials } from '../credentials/endpoint-credentials.ts';
import type { CredentialSources } from '../credentials/fetch-credentials.ts';
import { ImagesError } from '../images-error.ts';
import { type Platform, platformFilter } from '../tags/platform.ts';
import { type Selection, type SelectionRule, selectTag, selectTagInSteps } from '../tags/select-tag.ts';
import { strategyOf } from '../tags/strategy.ts';
import type { Tag } from '../tags/tag.ts';
import { type TagFilter, tagFilter } from '../tags/tag-filter.ts';
import { TimeSlices } from '../tags/time-slices.ts';
import { concerns } from '../webhook/dispatch.ts';
import type { ImageEvent } from '../webhook/event.ts';
import type { RegistryClient } from './registry-client.ts';
import { type Freshness, TagIndex, type TagIndexMetrics } from './tag-index.ts';
import { newestMatching } from './tag-metadata.ts';

export interface ImageRegistriesOptions {
  readonly endpoints: RegistryEndpoints;
  readonly credentials: CredentialSources;
  readonly policy: CredentialPolicy;
  readonly clock: Clock;
  /** Creates the client of a registry with a login. Clients are reused. */
  open(endpoint: RegistryEndpoint, login: Login | undefined): RegistryClient;
  readonly metrics?: TagIndexMetrics;
  /** The platform that an image must support unless its settings name others; undefined for any. */
  readonly platform?: { readonly os: string; readonly arch: string } | undefined;
  /** Concurrent manifest requests per image. */
  readonly metadataConcurrency?: number;
}

/** An image at its registry, with one login. */
export interface OpenedImage {
  readonly endpoint: RegistryEndpoint;
  readonly repository: string;
  readonly client: RegistryClient;
  readonly index: TagIndex;
}

/** The limit of tags that are checked for a platform, newest first. */
const maxPlatformChecks = 50;

/** The registries, shared by all Applications: one index per image and login, one client per registry and login. */
export class ImageRegistries {
  readonly #options: ImageRegistriesOptions;
  readonly #credentials = new Map<string, EndpointCredentials>();
  readonly #clients = new Map<string, RegistryClient>();
  readonly #indexes = new Map<
    string,
    { readonly registry: string; readonly repository: string; readonly index: TagIndex }
  >();

  readonly #slices = new TimeSlices();

  constructor(options: ImageRegistriesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#indexes.size;
  }

  /**
   * The tag that a rule chooses, from responses that are fresh enough. Refused credentials that may be outdated are renewed once. Projects
   * take turns in the comparison of tags.
   */
  async select(
    rule: ImageRule,
    namespace: string,
    freshness: Freshness,
    project = '',
  ): Promise<{ selection: Selection; image: OpenedImage }> {
    // Before any request: an invalid filter is reported even if the registry is unavailable.
    const selection = selectionRule(rule);
    const image = await this.open(rule, namespace);
    try {
      return { selection: await this.#selectFrom(image, rule, selection, freshness, project), image };
    } catch (error) {
      if (!isRefusal(error) || rule.pullSecret || !this.#credentialsOf(image.endpoint).refused()) throw error;
      const again = await this.open(rule, namespace);
      again.index.invalidate();
      return { selection: await this.#selectFrom(again, rule, selection, freshness, project), image: again };
    }
  }

  /** The name of the registry that has an image. */
  registryOf(image: ImageRule['image']): string {
    return this.#options.endpoints.lookup(image).prefix;
  }

  /** Checks that the image may use the credentials that it names, after parsing them. */
  async open(rule: Pick<ImageRule, 'image' | 'pullSecret'>, namespace: string): Promise<OpenedImage> {
    const { endpoints, policy } = this.#options;
    const endpoint = endpoints.lookup(rule.image);
    if (rule.pullSecret) checkImageCredentials(parseCredentialReference(rule.pullSecret), namespace, policy);
    const login = await this.#credentialsOf(endpoint).login(rule.pullSecret);
    const repository = repositoryAt(endpoint, rule.image);
    return {
      endpoint,
      repository,
      client: this.#client(endpoint, login),
      index: this.#index(endpoint, repository, login),
    };
  }

  /** An image was pushed: the cached tags of every login are outdated. */
  invalidate(event: Pick<ImageEvent, 'registry' | 'repository'>): void {
    for (const { registry, repository, index } of this.#indexes.values()) {
      if (concerns(event, { registry, name: repository })) index.invalidate();
    }
  }

  /** Removes indexes that were not used since. */
  prune(before: number): void {
    for (const [key, { index }] of this.#indexes) if (index.lastUsed < before) this.#indexes.delete(key);
  }

  async #selectFrom(
    image: OpenedImage,
    rule: ImageRule,
    selection: SelectionRule,
    freshness: Freshness,
    project: string,
  ): Promise<Selection> {
    const { client, index, endpoint } = image;
    const compared = (tags: Iterable<Tag>, by = selection): Promise<Selection> =>
      this.#slices.run(project, selectTagInSteps(tags, by));
    const platforms = platformFilter(rule.platforms, this.#options.platform);
    const { reads } = strategyOf(rule.strategy);
    if (reads === 'digest') {
      const name = selection.constraint ?? '';
      const digest = await index.digest(client, name, freshness);
      return selectTag([{ name, digest }], selection);
    }
    const names = await index.tags(client, freshness);
    const key = memoKey(rule);
    if (reads === 'build-times' && !isTimeSorted(endpoint.tagSortMode)) {
      const { filter } = selection;
      const candidates = filter ? await this.#slices.run(project, filtered(names, filter)) : names;
      return compared(await this.#withBuildTimes(image, names, candidates, platforms, freshness));
    }
    const selected = await index.memo(key, names, () => compared(asTags(names, endpoint)));
    if (rule.platforms.length === 0) return selected;
    return this.#onPlatforms(image, names, selection, selected, platforms, freshness, compared);
  }

  /** Reads the build time of every candidate. A tag deleted meanwhile is skipped; any other failure fails the selection. */
  async #withBuildTimes(
    { client, index }: OpenedImage,
    names: readonly string[],
    candidates: readonly string[],
    platforms: (platform: Platform) => boolean,
    freshness: Freshness,
  ): Promise<Iterable<Tag>> {
    const due = index.dueForCheck(candidates.toReversed());
    const tags = new Map<string, Tag>(names.map((name) => [name, { name }]));
    const waiting = candidates.values();
    const work = async (): Promise<void> => {
      for (const name of waiting) {
        try {
          const metadata = await index.metadata(client, name, freshness, due.has(name));
          const newest = newestMatching(metadata, platforms);
          if (newest) tags.set(name, { name, created: newest.created, digest: undefined, labels: newest.labels });
          else tags.delete(name);
        } catch (error) {
          if (!(error instanceof ImagesError && error.reason === 'ImageNotFound')) throw error;
          tags.delete(name);
        }
      }
    };
    await Promise.all(Array.from({ length: this.#options.metadataConcurrency ?? 10 }, work));
    return tags.values();
  }

  /** The newest tag that has an image for the platforms. */
  async #onPlatforms(
    { client, index }: OpenedImage,
    names: readonly string[],
    selection: SelectionRule,
    first: Selection,
    platforms: (platform: Platform) => boolean,
    freshness: Freshness,
    compared: (tags: Iterable<Tag>, by: SelectionRule) => Promise<Selection>,
  ): Promise<Selection> {
    let selected = first;
    const without = new Set<string>();
    const dropped = (tag: string): string | undefined =>
      without.has(tag) ? 'has no image for the platforms' : selection.filter?.dropped(tag);
    const rest: SelectionRule = { ...selection, filter: { dropped } };
    while (selected.chosen && without.size < maxPlatformChecks) {
      const metadata = await index.metadata(client, selected.chosen.name, freshness, true);
      if (newestMatching(metadata, platforms)) return selected;
      without.add(selected.chosen.name);
      selected = await compared(
        names.map((name) => ({ name })),
        rest,
      );
    }
    return selected;
  }

  #credentialsOf(endpoint: RegistryEndpoint): EndpointCredentials {
    const { credentials, clock } = this.#options;
    const key = `${endpoint.prefix}\n${endpoint.credentials}`;
    return getOrCreate(this.#credentials, key, () => new EndpointCredentials(endpoint, credentials, clock));
  }

  #client(endpoint: RegistryEndpoint, login: Login | undefined): RegistryClient {
    const key = `${endpoint.prefix}\n${endpoint.apiUrl}\n${loginKey(login)}`;
    let client = this.#clients.get(key);
    if (!client) {
      this.#clients.set(key, (client = this.#options.open(endpoint, login)));
      const [oldest] = this.#clients.keys();
      if (this.#clients.size > 1_000 && oldest !== undefined) this.#clients.delete(oldest);
    }
    return client;
  }

  #index(endpoint: RegistryEndpoint, repository: string, login: Login | undefined): TagIndex {
    const key = `${endpoint.prefix}\n${repository}\n${loginKey(login)}`;
    const { clock, metrics } = this.#options;
    return getOrCreate(this.#indexes, key, () => ({
      registry: endpoint.prefix,
      repository,
      index: new TagIndex(repository, clock, metrics),
    })).index;
  }
}

/** The tags that a filter keeps, with a step for each. */
function* filtered(names: readonly string[], filter: TagFilter): Generator<void, string[]> {
  const kept: string[] = [];
  for (const name of names) {
    yield;
    if (filter.dropped(name) === undefined) kept.push(name);
  }
  return kept;
}

const isRefusal = (error: unknown): boolean => error instanceof ImagesError && error.reason === 'RegistryRefused';

/** A hash instead of the login, because keys can appear in heap dumps. */
const loginKey = (login: Login | undefined): string =>
  login ? createHash('sha256').update(`${login.username}\n${login.password}`).digest('hex') : 'anonymous';

export const selectionRule = (rule: ImageRule): SelectionRule => ({
  strategy: rule.strategy,
  constraint: rule.image.tag,
  filter: tagFilter(rule.allowTags, rule.ignoreTags),
});

const memoKey = ({ strategy, image, allowTags, ignoreTags }: ImageRule): string =>
  JSON.stringify([strategy, image.tag, allowTags, ignoreTags]);

/** If the registry sorts tags by age, the position replaces the build time. */
function asTags(names: readonly string[], { tagSortMode }: RegistryEndpoint): Tag[] {
  if (!isTimeSorted(tagSortMode)) return names.map((name) => ({ name }));
  return names.map((name, i) => ({ name, created: tagSortMode === 'latest-first' ? names.length - i : i }));
}
