import { createHash } from 'node:crypto';
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
import type { CredentialWorld } from '../credentials/fetch-credentials.ts';
import { ImagesError } from '../images-error.ts';
import { type Platform, platformFilter } from '../tags/platform.ts';
import { type Selection, type SelectionRule, selectTag } from '../tags/select-tag.ts';
import type { Tag } from '../tags/tag.ts';
import { tagFilter } from '../tags/tag-filter.ts';
import { concerns } from '../webhook/dispatch.ts';
import type { ImageEvent } from '../webhook/event.ts';
import type { RegistryClient } from './registry-client.ts';
import { type Freshness, TagIndex, type TagIndexMetrics } from './tag-index.ts';
import { newestWanted } from './tag-metadata.ts';

export interface ImageRegistriesOptions {
  readonly endpoints: RegistryEndpoints;
  readonly credentials: CredentialWorld;
  readonly policy: CredentialPolicy;
  readonly clock: Clock;
  /** A client for a registry with a login; called again only when either changes. */
  open(endpoint: RegistryEndpoint, login: Login | undefined): RegistryClient;
  readonly metrics?: TagIndexMetrics;
  /** The platform whose images count where none is named; undefined for all. */
  readonly platform?: { readonly os: string; readonly arch: string } | undefined;
  /** How many manifests of one image are asked for at once. */
  readonly metadataConcurrency?: number;
}

/** An image at its registry, as one login sees it. */
export interface OpenedImage {
  readonly endpoint: RegistryEndpoint;
  readonly repository: string;
  readonly client: RegistryClient;
  readonly index: TagIndex;
}

/** The registries as all Applications share them: one index an image and login, one client a registry and login. */
export class ImageRegistries {
  readonly #options: ImageRegistriesOptions;
  readonly #credentials = new Map<string, EndpointCredentials>();
  readonly #clients = new Map<string, RegistryClient>();
  readonly #indexes = new Map<
    string,
    { readonly registry: string; readonly repository: string; readonly index: TagIndex }
  >();

  constructor(options: ImageRegistriesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#indexes.size;
  }

  /** The tag that a rule chooses, of tags that are not older than asked for. A refusal of credentials that may be stale is tried again once. */
  async select(
    rule: ImageRule,
    namespace: string,
    freshness: Freshness,
  ): Promise<{ selection: Selection; image: OpenedImage }> {
    // Said before anything is asked for: who wrote a filter wrong should read of that, and not of the registry.
    const wanted = selectionRule(rule);
    const image = await this.open(rule, namespace);
    try {
      return { selection: await this.#selectFrom(image, rule, wanted, freshness), image };
    } catch (error) {
      if (!isRefusal(error) || rule.pullSecret || !this.#credentialsOf(image.endpoint).refused()) throw error;
      const again = await this.open(rule, namespace);
      again.index.invalidate();
      return { selection: await this.#selectFrom(again, rule, wanted, freshness), image: again };
    }
  }

  /** Whether an image may use the credentials that it names is settled here, on what they are and not on how they are written. */
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

  /** Something was pushed to an image: every login's view of it is stale. */
  invalidate(event: Pick<ImageEvent, 'registry' | 'repository'>): void {
    for (const { registry, repository, index } of this.#indexes.values()) {
      if (concerns(event, { registry, name: repository })) index.invalidate();
    }
  }

  /** Forgets what nobody has asked for since. */
  prune(before: number): void {
    for (const [key, { index }] of this.#indexes) if (index.lastUsed < before) this.#indexes.delete(key);
  }

  async #selectFrom(
    image: OpenedImage,
    rule: ImageRule,
    wanted: SelectionRule,
    freshness: Freshness,
  ): Promise<Selection> {
    const { client, index, endpoint } = image;
    const platforms = platformFilter(rule.platforms, this.#options.platform);
    if (rule.strategy === 'digest') {
      const tag = wanted.constraint!;
      const digest = await index.digest(client, tag, freshness);
      return selectTag([{ name: tag, digest }], wanted);
    }
    const names = await index.tags(client, freshness);
    const key = memoKey(rule);
    if (rule.strategy === 'newest-build' && !isTimeSorted(endpoint.tagSortMode)) {
      return this.#newestBuild(image, names, wanted, platforms, freshness);
    }
    const selected = index.memo(key, names, () => selectTag(asTags(names, endpoint), wanted));
    return rule.platforms.length === 0
      ? selected
      : this.#onPlatforms(image, names, wanted, selected, platforms, freshness);
  }

  /** Looks behind every tag that passes the filters. A tag that is gone meanwhile is no candidate; any other failure is one of the whole. */
  async #newestBuild(
    { client, index }: OpenedImage,
    names: readonly string[],
    wanted: SelectionRule,
    platforms: (platform: Platform) => boolean,
    freshness: Freshness,
  ): Promise<Selection> {
    const candidates = names.filter((name) => wanted.filter?.dropped(name) === undefined);
    const due = index.dueForCheck(candidates.toReversed());
    const tags = new Map<string, Tag>(names.map((name) => [name, { name }]));
    const waiting = candidates.values();
    const work = async (): Promise<void> => {
      for (const name of waiting) {
        try {
          const metadata = await index.metadata(client, name, freshness, due.has(name));
          const newest = newestWanted(metadata, platforms);
          if (newest) tags.set(name, { name, created: newest.created, digest: undefined, labels: newest.labels });
          else tags.delete(name);
        } catch (error) {
          if (!(error instanceof ImagesError && error.reason === 'ImageNotFound')) throw error;
          tags.delete(name);
        }
      }
    };
    await Promise.all(Array.from({ length: this.#options.metadataConcurrency ?? 10 }, work));
    return selectTag(tags.values(), wanted);
  }

  /** The newest that has an image for the platforms; each that has none makes room for the next. */
  async #onPlatforms(
    { client, index }: OpenedImage,
    names: readonly string[],
    wanted: SelectionRule,
    first: Selection,
    platforms: (platform: Platform) => boolean,
    freshness: Freshness,
  ): Promise<Selection> {
    let selection = first;
    const without = new Set<string>();
    const rest: SelectionRule = {
      ...wanted,
      filter: { dropped: (tag) => (without.has(tag) ? 'has no image for the platforms' : wanted.filter?.dropped(tag)) },
    };
    while (selection.chosen && without.size < 50) {
      const metadata = await index.metadata(client, selection.chosen.name, freshness, true);
      if (newestWanted(metadata, platforms)) return selection;
      without.add(selection.chosen.name);
      selection = selectTag(
        names.map((name) => ({ name })),
        rest,
      );
    }
    return selection;
  }

  #credentialsOf(endpoint: RegistryEndpoint): EndpointCredentials {
    const { credentials, clock } = this.#options;
    const key = `${endpoint.prefix}\n${endpoint.credentials}`;
    let known = this.#credentials.get(key);
    if (!known) this.#credentials.set(key, (known = new EndpointCredentials(endpoint, credentials, clock)));
    return known;
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
    let known = this.#indexes.get(key);
    if (!known) {
      const { clock, metrics } = this.#options;
      known = { registry: endpoint.prefix, repository, index: new TagIndex(repository, clock, metrics) };
      this.#indexes.set(key, known);
    }
    return known.index;
  }
}

const isRefusal = (error: unknown): boolean => error instanceof ImagesError && error.reason === 'RegistryRefused';

/** Not the login itself: keys end up in dumps. */
const loginKey = (login: Login | undefined): string =>
  login ? createHash('sha256').update(`${login.username}\n${login.password}`).digest('hex') : 'anonymous';

export const selectionRule = (rule: ImageRule): SelectionRule => ({
  strategy: rule.strategy,
  constraint: rule.image.tag,
  filter: tagFilter(rule.allowTags, rule.ignoreTags),
});

const memoKey = ({ strategy, image, allowTags, ignoreTags }: ImageRule): string =>
  JSON.stringify([strategy, image.tag, allowTags, ignoreTags]);

/** A registry that lists by age spares the look behind each tag: the place in the list is the date. */
function asTags(names: readonly string[], { tagSortMode }: RegistryEndpoint): Tag[] {
  if (!isTimeSorted(tagSortMode)) return names.map((name) => ({ name }));
  return names.map((name, i) => ({ name, created: tagSortMode === 'latest-first' ? names.length - i : i }));
}
