import { canonicalImageName, type ImageReference, tryParseImageReference } from '@fairlead/apimachinery';

/** The image of a container. */
export interface NodeImage extends ImageReference {
  /** Registry, repository, and tag or digest: the key of an image on a node. */
  readonly full: string;
}

/** Returns undefined if the text is not an image reference: the kubelet then reports `InvalidImageName`. */
export function parseImage(text: string): NodeImage | undefined {
  const reference = tryParseImageReference(text);
  if (!reference) return undefined;
  const tag = reference.tag ?? (reference.digest === undefined ? 'latest' : undefined);
  return { ...reference, ...(tag === undefined ? {} : { tag }), full: canonicalImageName(reference) };
}
