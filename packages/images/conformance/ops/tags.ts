import { imageRule } from '../../src/config/image-rule.ts';
import { RegistryEndpoints } from '../../src/config/registry-endpoints.ts';
import { parseImage, sameVersion } from '../../src/reference/image-reference.ts';
import { ImageRegistries } from '../../src/registry/image-registries.ts';
import type { RegistryClient } from '../../src/registry/registry-client.ts';
import { platformFilter, platformKey } from '../../src/tags/platform.ts';
import { selectTag } from '../../src/tags/select-tag.ts';
import { parseStrategy, strategyOf } from '../../src/tags/strategy.ts';
import type { Tag } from '../../src/tags/tag.ts';
import { parseAllow, parseIgnore, tagFilter } from '../../src/tags/tag-filter.ts';
import type { Input, Ops } from './case.ts';

const selected = ({ strategy, constraint, tags, allow, ignore }: Input) => {
  const { chosen } = selectTag(tags, {
    strategy: parseStrategy(strategy),
    constraint: constraint ?? undefined,
    filter: tagFilter(allow ?? undefined, ignore),
  });
  return { tag: chosen?.name ?? null, digest: chosen?.digest ?? null };
};

const digestOf = (tag: string): string => `sha256:of-${tag}`;

/** A registry with the tags of a case, each with another build time; `reads` lists the requested manifests. */
function registryOf({ strategy, constraint, image, registry_tags: tags, allow, ignore }: Input, digest = digestOf) {
  const reads: string[] = [];
  const client: RegistryClient = {
    tags: async () => ({ tags, etag: undefined }),
    digest: async (_repository, tag) => digest(tag),
    async manifest(_repository, reference) {
      reads.push(reference);
      const config = { digest: reference, mediaType: '', size: 2 };
      return {
        kind: 'image',
        digest: reference,
        mediaType: '',
        bytes: new Uint8Array(),
        image: { config, layers: [] },
      };
    },
    blob: async () => Buffer.from(JSON.stringify({ created: '2030-01-01T00:00:00Z' })),
  };
  const registries = new ImageRegistries({
    endpoints: new RegistryEndpoints(),
    credentials: { secret: undefined, environment: {}, runScript: async () => '' },
    policy: { allowProcessSources: false },
    clock: { now: () => 0, after: () => () => {} },
    open: () => client,
  });
  const { name } = parseImage(image);
  const imageName = constraint ? `${name}:${constraint}` : name;
  const rule = imageRule({
    alias: '',
    imageName,
    commonUpdateSettings: {
      updateStrategy: strategy,
      ...(allow ? { allowTags: allow } : {}),
      ignoreTags: ignore ?? [],
    },
  });
  return { registries, rule, reads };
}

const version = ({ name, digest }: Input) => ({ tag: name, digest: digest ?? undefined });

export const tagOps: Ops = {
  select: selected,
  async list(input) {
    const { registries, rule, reads } = registryOf(input);
    const { selection } = await registries.select(rule, '', { notBefore: 0 });
    await registries.select(rule, '', { notBefore: 0 });
    const kept = selection.decisions().filter(({ outcome }) => outcome !== 'dropped');
    return {
      empty: kept.length === 0,
      tags: kept.map(({ tag }) => tag),
      // Read once for two checks.
      probe_metadata_cached: reads.filter((reference) => reference === digestOf(input['probe'])).length === 1,
    };
  },
  async manifest_digest(input) {
    const digest = `sha256:${input['digest_hex']}`;
    const { registries, rule } = registryOf({ ...input, allow: null, ignore: [] }, () => digest);
    const { selection, image } = await registries.select(rule, '', { notBefore: 0 });
    const found =
      selection.chosen?.digest ??
      (await image.index.metadata(image.client, input['registry_tags'][0], { notBefore: 0 }, false)).digest;
    // The all-zero digest means an unknown digest.
    return { manifest_digest: /^sha256:0+$/u.test(found) ? null : found };
  },
  equal: ({ a, b }) => ({ equal: sameVersion(version(a), version(b)) }),
  add({ tags }) {
    const named = tags.map((name: string) => ({ name }));
    const known = new Set(
      selectTag(named, { strategy: 'alphabetical' })
        .decisions()
        .map(({ tag }) => tag),
    );
    return { count: known.size, contains: tags.filter((name: string) => known.has(name)) };
  },
  sort({ by, tags }) {
    const { matcher, compare } = strategyOf(by === 'date' ? 'newest-build' : parseStrategy(by));
    const candidates = (tags as Tag[]).map(matcher(undefined)).filter((candidate) => typeof candidate !== 'string');
    return { order: candidates.sort(compare).map(({ tag }) => tag.name) };
  },
  ignored: ({ ignore, tag }) => ({ ignored: parseIgnore(ignore)(tag) !== undefined }),
  allowed({ allow, tag }) {
    // An invalid filter is refused before any tag is checked, so it allows none.
    try {
      return { allowed: parseAllow(allow ?? undefined)(tag) };
    } catch {
      return { allowed: false };
    }
  },
  strategy_traits({ strategy }) {
    const { reads, constraint } = strategyOf(parseStrategy(strategy));
    return {
      cacheable: reads !== 'digest',
      needs_metadata: reads === 'build-times',
      needs_constraint: constraint === 'tag',
      only_constraint_tag: constraint === 'tag',
    };
  },
  platform({ configured, ignore_runtime_platform: ignoreRuntime, runtime, candidates }) {
    const wants = platformFilter(configured, ignoreRuntime ? undefined : runtime);
    return { wanted: candidates.map(wants) };
  },
  platform_key: ({ os, arch, variant }) => ({ key: platformKey({ os, arch, variant }) }),
};
