import { type ImageReference, sameImage } from './image-reference.ts';

/** An image to find among the running ones. `kustomizeImage` is its name in the manifests, if that differs. */
export interface ImageQuery {
  readonly image: ImageReference;
  readonly kustomizeImage?: ImageReference | undefined;
}

/** The running image: by the name in the manifests if that differs, otherwise by its own name. */
export function findImage(
  images: readonly ImageReference[],
  { image, kustomizeImage }: ImageQuery,
  checkVersion = false,
): ImageReference | undefined {
  const find = (query: ImageReference): ImageReference | undefined =>
    images.find(
      (candidate) => sameImage(candidate, query) && (!checkVersion || (candidate.tag ?? '') === (query.tag ?? '')),
    );
  return (kustomizeImage && find(kustomizeImage)) ?? find(image);
}

/**
 * Which of several running images of one name the digest strategy updates: first one with the watched tag and an outdated digest, then any
 * with the watched tag, then one with another tag and an outdated digest.
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
