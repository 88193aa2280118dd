import { parseImage, sameVersion } from '../../src/reference/image-reference.ts';
import { platformFilter, platformKey } from '../../src/tags/platform.ts';
import { selectTag } from '../../src/tags/select-tag.ts';
import { sortTags } from '../../src/tags/sort-tags.ts';
import { parseStrategy, traitsOf } from '../../src/tags/strategy.ts';
import { tagsByName } from '../../src/tags/tag.ts';
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

const version = ({ name, digest }: Input) => ({ tag: name, digest: digest ?? undefined });

export const tagOps: Ops = {
  select: selected,
  list({ strategy, image, registry_tags: tags, allow, ignore, constraint, probe }) {
    parseImage(image);
    const filter = tagFilter(allow ?? undefined, ignore ?? []);
    const kept = (tags as string[]).filter(
      (tag) => filter.dropped(tag) === undefined && (parseStrategy(strategy) !== 'digest' || tag === constraint),
    );
    return {
      empty: kept.length === 0,
      tags: kept,
      probe_metadata_cached: kept.includes(probe) && traitsOf(parseStrategy(strategy)).needsMetadata,
    };
  },
  manifest_digest: ({ digest_hex: hex }) => ({ manifest_digest: /^0+$/u.test(hex) ? null : `sha256:${hex}` }),
  equal: ({ a, b }) => ({ equal: sameVersion(version(a), version(b)) }),
  add({ tags }) {
    const known = tagsByName(tags.map((name: string) => ({ name })));
    return { count: known.size, contains: tags.filter((name: string) => known.has(name)) };
  },
  sort: ({ by, tags }) => ({
    order: sortTags(tags, by === 'date' ? 'newest-build' : parseStrategy(by)).map(({ name }) => name),
  }),
  ignored: ({ ignore, tag }) => ({ ignored: parseIgnore(ignore)(tag) !== undefined }),
  allowed({ allow, tag }) {
    // A filter that cannot be read is refused before any tag is looked at: it allows none.
    try {
      return { allowed: parseAllow(allow ?? undefined)(tag) };
    } catch {
      return { allowed: false };
    }
  },
  strategy_traits({ strategy }) {
    const traits = traitsOf(parseStrategy(strategy));
    return {
      cacheable: traits.cacheable,
      needs_metadata: traits.needsMetadata,
      needs_constraint: traits.needsConstraint,
      only_constraint_tag: traits.onlyConstraintTag,
    };
  },
  platform({ configured, ignore_runtime_platform: ignoreRuntime, runtime, candidates }) {
    const wants = platformFilter(configured, ignoreRuntime ? undefined : runtime);
    return { wanted: candidates.map(wants) };
  },
  platform_key: ({ os, arch, variant }) => ({ key: platformKey({ os, arch, variant }) }),
};
