import type { ImageReference } from '@fairlead/apimachinery';
import { type Clock, formatLimit, limits, limitTable } from '@fairlead/kube';
import type { Tree } from '@fairlead/render';
import { defaultArchiveLimits } from '../archive/archive-limits.ts';
import { fileNode } from '../archive/archive-tree.ts';
import type { TreeCache } from '../archive/tree-cache.ts';
import { type Unpacked, unpack, unpacked } from '../archive/unpack.ts';
import type { ContentCache } from '../cache/content-cache.ts';
import { createTtlCache, type TtlCache } from '../cache/ttl-cache.ts';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import type { HttpSession } from '../http/http-session.ts';
import { SourceError } from '../source-error.ts';
import type { SourceFetches } from '../tasks/source-fetches.ts';
import { highestVersion, isVersionRange } from '../version-range.ts';
import { chartLayerTypes, type Descriptor, type Manifest } from './manifest.ts';
import { isDigest, isTag, parseOciReference } from './reference.ts';
import { Registry } from './registry.ts';

export interface ArtifactsOptions {
  readonly http: HttpSession;
  readonly clock: Clock;
  readonly cache: ContentCache;
  readonly trees: TreeCache;
  readonly fetches: SourceFetches;
  /** How long tags are cached before they are read again. */
  readonly pollMs: number;
}

interface Ask {
  readonly credentials?: RepositoryCredentials | undefined;
  /** The project that reads it. */
  readonly project?: string | undefined;
  readonly fresh?: boolean;
}

/** Artifacts in registries: resolves a tag or a range of versions to a digest, and a digest to a tree of files. */
export class Artifacts {
  readonly #options: ArtifactsOptions;
  readonly #registries = new Map<string, Registry>();
  readonly #digests: TtlCache<string>;
  readonly #tags: TtlCache<readonly string[]>;

  constructor(options: ArtifactsOptions) {
    this.#options = options;
    this.#digests = createTtlCache(options.clock, options.pollMs);
    this.#tags = createTtlCache(options.clock, options.pollMs);
  }

  /** The digest of a tag, of the highest tag in a version range, or of `latest` if the revision is empty. */
  async resolve(url: string, revision: string, ask: Ask = {}): Promise<string> {
    const reference = parseOciReference(url);
    if (reference.digest) return reference.digest;
    const requested = revision.trim() || reference.tag || 'latest';
    if (isDigest(requested)) return requested;
    const tag = isVersionRange(requested) ? await this.version(url, requested, ask).then(tagOfVersion) : requested;
    if (!isTag(tag)) {
      throw new SourceError(
        'InvalidRevision',
        `targetRevision ${JSON.stringify(tag.slice(0, 200))} is not a tag, a digest or a range of versions`,
      );
    }
    const key = keyOf(reference, ask.credentials, tag);
    return this.#digests(key, ask.fresh ?? false, () =>
      this.#fetch(reference, ask, () => this.#registry(reference, ask.credentials).digestOf(reference.repository, tag)),
    );
  }

  /** Signs in to a registry, whose address may have a repository or not. Throws if that fails. */
  async ping(url: string, ask: Ask = {}): Promise<void> {
    const [registry = ''] = url
      .trim()
      .replace(/^oci:\/\//iu, '')
      .split('/');
    if (!URL.canParse(`https://${registry}`))
      throw new SourceError('InvalidUrl', `${JSON.stringify(url.slice(0, 300))} is not the address of a registry`);
    const reference = { registry, repository: '' };
    await this.#fetch(reference, ask, () => this.#registry(reference, ask.credentials).ping());
  }

  tags(url: string, ask: Ask = {}): Promise<readonly string[]> {
    const reference = parseOciReference(url);
    return this.#tags(keyOf(reference, ask.credentials, ''), ask.fresh ?? false, () =>
      this.#fetch(reference, ask, () => this.#allTags(reference, ask.credentials)),
    );
  }

  /** The highest version in the range, among the tags that are versions. */
  async version(url: string, range: string, ask: Ask = {}): Promise<string> {
    const reference = parseOciReference(url);
    const tags = await this.tags(url, ask);
    const best = highestVersion(tags.map(versionOfTag), range);
    if (best !== undefined) return best;
    throw new SourceError(
      'RevisionNotFound',
      `${reference.registry}/${reference.repository} has no tag in the range ${range}`,
    );
  }

  /** The annotations of the manifest with a digest. */
  async annotations(url: string, digest: string, ask: Ask = {}): Promise<Readonly<Record<string, string>>> {
    const reference = parseOciReference(url);
    if (!isDigest(digest)) throw new SourceError('InvalidRevision', `${JSON.stringify(digest)} is not a digest`);
    const manifest = await this.#fetch(reference, ask, () =>
      this.#registry(reference, ask.credentials).manifest(reference.repository, digest),
    );
    return (manifest.kind === 'index' ? manifest.index : manifest.image).annotations ?? {};
  }

  tree(url: string, digest: string, ask: Ask = {}): Promise<Tree> {
    const { credentials } = ask;
    const reference = parseOciReference(url);
    if (!isDigest(digest))
      return Promise.reject(new SourceError('InvalidRevision', `${JSON.stringify(digest)} is not a digest`));
    // By credentials too: content is not shared with callers that may not read the artifact.
    const key = `artifact ${keyOf(reference, credentials, digest)}`;
    return this.#options.trees.get(key, () => this.#load(reference, digest, ask));
  }

  /** Uses a slot of the registry and of the project. */
  #fetch<T>(reference: ImageReference, { credentials, project, fresh }: Ask, fetch: () => Promise<T>): Promise<T> {
    const repository = keyOf(reference, credentials, '');
    return this.#options.fetches.run({ url: reference.registry, project, repository, fresh }, fetch);
  }

  async #load(reference: ImageReference, digest: string, ask: Ask): Promise<Unpacked> {
    const registry = this.#registry(reference, ask.credentials);
    const { repository } = reference;
    const what = `${reference.registry}/${repository}@${digest}`;
    const layer = layerOf(await this.#fetch(reference, ask, () => registry.manifest(repository, digest)), what);
    const name = `${layer.digest.replace(':', '-')}.layer`;
    const content = await this.#options.cache.open(name, (file) =>
      this.#fetch(reference, ask, () => registry.saveBlob(repository, layer, file, defaultArchiveLimits.totalBytes)),
    );
    try {
      if (!/tar|helm/u.test(layer.mediaType)) return await singleFile(layer, content);
      return await unpack(content, { stripTop: chartLayerTypes.includes(layer.mediaType) });
    } catch (error) {
      throw error instanceof SourceError ? new SourceError(error.reason, `${what}: ${error.message}`) : error;
    }
  }

  async #allTags(
    reference: ImageReference,
    credentials: RepositoryCredentials | undefined,
  ): Promise<readonly string[]> {
    const tags: string[] = [];
    for await (const tag of this.#registry(reference, credentials).tags(reference.repository)) {
      tags.push(tag);
      if (tags.length > limits.registryTags)
        throw new SourceError(
          'TooLarge',
          `${reference.registry}/${reference.repository} has more than ${formatLimit(limitTable.registryTags)} tags (limit registryTags)`,
        );
    }
    return tags;
  }

  #registry({ registry }: ImageReference, credentials: RepositoryCredentials | undefined): Registry {
    const { http, clock } = this.#options;
    const key = `${registry}\n${JSON.stringify(credentials ?? {})}`;
    let known = this.#registries.get(key);
    if (!known) {
      known = new Registry({ http, clock, registry, credentials });
      this.#registries.set(key, known);
      const [oldest] = this.#registries.keys();
      if (this.#registries.size > 1_000 && oldest) this.#registries.delete(oldest);
    }
    return known;
  }
}

const keyOf = (
  { registry, repository }: ImageReference,
  credentials: RepositoryCredentials | undefined,
  revision: string,
): string => `${registry}/${repository}\n${credentials?.name ?? ''}\n${revision}`;

/** A tag cannot contain the `+` of a version, so `_` replaces it. */
export const versionOfTag = (tag: string): string => tag.replaceAll('_', '+');
export const tagOfVersion = (version: string): string => version.replaceAll('+', '_');

function layerOf(manifest: Manifest, what: string): Descriptor {
  if (manifest.kind === 'index')
    throw new SourceError('NotSupported', `${what} is an index of images, and not an artifact with files`);
  const { layers } = manifest.image;
  const charts = layers.filter(({ mediaType }) => chartLayerTypes.includes(mediaType));
  const candidates = charts.length > 0 ? charts : layers;
  const [layer] = candidates;
  if (!layer || candidates.length > 1) {
    throw new SourceError('NotSupported', `${what} has ${layers.length} layers: an artifact with manifests has one`);
  }
  return layer;
}

/** A layer that is not an archive is a single file, named by its title annotation. */
async function singleFile(layer: Descriptor, content: AsyncIterable<Uint8Array>): Promise<Unpacked> {
  const title = layer.annotations?.['org.opencontainers.image.title'] ?? '';
  if (!/^[\w][\w. -]*$/u.test(title))
    throw new SourceError(
      'NotSupported',
      `a layer of type ${layer.mediaType} is not an archive and has no plain file name as its title`,
    );
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return unpacked(new Map([[title, fileNode(Buffer.concat(chunks))]]));
}
