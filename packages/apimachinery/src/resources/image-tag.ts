import { tryParseImageReference } from '../image-reference.ts';

/** The tag of an image reference: `latest` when it has neither tag nor digest, undefined when the text is not a reference. */
export function imageTag(image: string): string | undefined {
  const reference = tryParseImageReference(image);
  if (!reference) return undefined;
  return reference.tag ?? (reference.digest === undefined ? 'latest' : undefined);
}

/** The default `imagePullPolicy`: a kubelet asks the registry each time only for `latest`. */
export const pullPolicyFor = (image: string | undefined): string =>
  imageTag(image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
