import type { ImageReference } from './image-reference.ts';
import { sameImage } from './same-image.ts';

/** An image that is looked for among those that run. `kustomizeImage` is the name under which the manifests know it. */
export interface Sought {
  readonly image: ImageReference;
  readonly kustomizeImage?: ImageReference | undefined;
}

/** The one that belongs to it: by the name in the manifests where that differs, else by its own. */
export function findImage(
  images: readonly ImageReference[],
  { image, kustomizeImage }: Sought,
  checkVersion = false,
): ImageReference | undefined {
  const find = (wanted: ImageReference): ImageReference | undefined =>
    images.find(
      (candidate) => sameImage(candidate, wanted) && (!checkVersion || (candidate.tag ?? '') === (wanted.tag ?? '')),
    );
  return (kustomizeImage && find(kustomizeImage)) ?? find(image);
}

/**
 * Which of several running images of one name a digest concerns: the one with the tag that is watched, before others; where that tag
 * runs twice, the one that is behind. An image under another tag counts only if its digest is not the latest.
 */
export function findForDigest(
  images: readonly ImageReference[],
  configured: ImageReference,
  latestDigest: string,
): ImageReference | undefined {
  const sameName = images.filter((image) => sameImage(image, configured));
  const stale = sameName.filter(({ digest }) => digest && digest !== latestDigest);
  const tagged = configured.tag ? sameName.filter(({ tag }) => tag === configured.tag) : [];
  return tagged.find((image) => stale.includes(image)) ?? tagged[0] ?? stale[0];
}
