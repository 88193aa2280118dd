import type { Application } from '@fairlead/api';
import type { ImageRule } from '../config/image-rule.ts';
import { findImage } from '../reference/find-image.ts';
import { type ImageReference, parseImage, withVersion } from '../reference/image-reference.ts';

type Configured = Pick<ImageRule, 'image' | 'kustomizeImage' | 'forceUpdate'>;

/** The running images, and those that are treated as running; the latter without a version. */
export function liveImages({ status }: Pick<Application, 'status'>, rules: readonly Configured[]): ImageReference[] {
  const images = (status?.summary?.images ?? []).map(parseImage);
  for (const { image, kustomizeImage, forceUpdate } of rules) {
    if (forceUpdate && !findImage(images, { image, kustomizeImage })) {
      images.push(withVersion(image, { tag: undefined, digest: undefined }));
    }
  }
  return images;
}

export const liveImageOf = (
  live: readonly ImageReference[],
  { image, kustomizeImage }: Configured,
): ImageReference | undefined => findImage(live, { image, kustomizeImage });
