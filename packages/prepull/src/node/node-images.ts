import {
  canonicalImageName,
  getOrCreate,
  type ImageReference,
  type Node,
  tryParseImageReference,
} from '@fairlead/apimachinery';

/** Cached objects are never mutated, so the result is valid as long as the Node object is. */
const cache = new WeakMap<Node, Set<string>>();

/** The canonical names of the images on a node. A kubelet reports at most fifty, so an image that is not listed may still be present. */
export function imagesOn(node: Node): Set<string> {
  return getOrCreate(cache, node, () => canonicalNames((node.status?.images ?? []).flatMap(({ names = [] }) => names)));
}

/** Nodes also report names that cannot be pulled, such as `<none>@<none>`; they are skipped. */
export function canonicalNames(listed: Iterable<string>): Set<string> {
  const names = new Set<string>();
  for (const text of listed) {
    const image = tryParseImageReference(text);
    if (image) names.add(canonicalImageName(image));
  }
  return names;
}

/**
 * Whether the image is among these canonical names. With a digest, only the digest counts. A tag alone counts as it does for the
 * pull policy IfNotPresent, except `latest`, which moves.
 */
export function isPresent(names: ReadonlySet<string>, image: ImageReference): boolean {
  if (image.digest === undefined && (image.tag ?? 'latest') === 'latest') return false;
  return names.has(canonicalImageName(image));
}
