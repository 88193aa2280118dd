import { tryParseImageReference } from '../image-reference.ts';

/** The tag of an image reference: `latest` if it has neither tag nor digest, undefined if the text is not a reference. */
export function imageTag(image: string): string | undefined {
  const reference = tryParseImageReference(image);
  if (!reference) return undefined;
  return reference.tag ?? (reference.digest === undefined ? 'latest' : undefined);
}

/** The default `imagePullPolicy`: a kubelet always contacts the registry only for `latest`. */
export const pullPolicyFor = (image: string | undefined): string =>
  imageTag(image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
