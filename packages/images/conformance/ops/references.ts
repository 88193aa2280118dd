import { findForDigest, findImage } from '../../src/reference/find-image.ts';
import {
  differs,
  formatImage,
  fullName,
  fullNameWithTag,
  hasRegistryPrefix,
  parseImage,
  tagWithDigest,
  withoutRegistry,
  withVersion,
} from '../../src/reference/image-reference.ts';
import type { Input, Ops } from './case.ts';

const names = (image: Parameters<typeof fullNameWithTag>[0]) => ({
  full_with_tag: fullNameWithTag(image),
  full_without_tag: fullName(image),
  tag_with_digest: tagWithDigest(image),
});

const sought = ({ ref, kustomize_image: kustomize }: Input) => ({
  image: parseImage(ref),
  kustomizeImage: kustomize ? parseImage(kustomize) : undefined,
});

export const referenceOps: Ops = {
  parse({ ref }) {
    const image = parseImage(ref);
    return { ...image, ...names(image) };
  },
  format({ registry, name, tag, digest }) {
    return names({ registry, name, tag: tag ?? undefined, digest: digest ?? undefined });
  },
  round_trip: ({ ref }) => ({ string: formatImage(parseImage(ref)) }),
  original: ({ ref }) => ({ original: parseImage(ref).original }),
  with_tag({ ref, tag, digest }) {
    const image = withVersion(parseImage(ref), { tag: tag ?? undefined, digest: digest ?? undefined });
    return { string: formatImage(image), ...names(image) };
  },
  contains({ list, image, check_version: checkVersion }) {
    const found = findImage(
      list.map(({ ref }: Input) => parseImage(ref)),
      sought(image),
      checkVersion,
    );
    return { found: found !== undefined, match: found ? formatImage(found) : null };
  },
  match_for_digest({ configured, live, latest_digest: latest }) {
    return { match: findForDigest(live.map(parseImage), parseImage(configured), latest) ?? null };
  },
  split_tag({ text }) {
    const { tag, digest } = parseImage(`image:${text}`);
    return { tag, digest: digest ?? '' };
  },
  list_string: ({ refs }) => ({
    string: refs.map((ref: string) => formatImage(parseImage(ref))).join(','),
    originals: refs.map((ref: string) => parseImage(ref).original),
  }),
  differs: ({ a, b, check_version: checkVersion }) => ({
    differs: differs(parseImage(a), parseImage(b), checkVersion),
  }),
  has_registry: ({ text }) => ({ has_registry: hasRegistryPrefix(text) }),
  short_form: ({ text }) => ({ short: withoutRegistry(text) }),
};
