/** An image's name in full, however it was written. */
export interface ImageName {
  /** Where it comes from: `docker.io` when nothing is said. */
  readonly registry: string;
  /** `docker.io/library/nginx` */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const part = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/u;
const tagPattern = /^[A-Za-z0-9_][\w.-]{0,127}$/u;
const digestPattern = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/u;

/** `nginx`, `library/nginx` and `docker.io/library/nginx:latest` are one image. Throws a sentence on what is none. */
export function parseImageName(text: string): ImageName {
  const refuse = (why: string): never => {
    throw new Error(`${JSON.stringify(text.slice(0, 300))} is not an image: ${why}`);
  };
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0) return refuse('it has more than one @');
  if (digest !== undefined && !digestPattern.test(digest))
    return refuse(`${JSON.stringify(digest)} is not a digest, such as sha256:…`);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const path = hasTag ? named.slice(0, colon) : named;
  const tag = hasTag ? named.slice(colon + 1) : undefined;
  if (tag !== undefined && !tagPattern.test(tag)) return refuse(`${JSON.stringify(tag)} is not a tag`);
  const [first = '', ...rest] = path.split('/');
  const isHost = rest.length > 0 && (/[.:]/u.test(first) || first === 'localhost');
  const parts = isHost ? rest : [first, ...rest];
  const wrong = parts.find((piece) => !part.test(piece));
  if (wrong !== undefined)
    return refuse(
      wrong === ''
        ? 'a part of its name is empty'
        : `${JSON.stringify(wrong)} may hold small letters, digits and . _ - only`,
    );
  const registry = isHost && first !== 'index.docker.io' ? first : 'docker.io';
  const repository = registry === 'docker.io' && parts.length === 1 ? `library/${parts[0]}` : parts.join('/');
  return {
    registry,
    repository: `${registry}/${repository}`,
    ...(tag !== undefined ? { tag } : digest === undefined ? { tag: 'latest' } : {}),
    ...(digest !== undefined ? { digest } : {}),
  };
}

/** The reference that a kubelet is to pull: with the digest, where one is known. */
export function referenceOf(image: string, digest: string | undefined): string {
  if (!digest || image.includes('@')) return image;
  return `${image}@${digest}`;
}

/**
 * What a node lists, as it can be looked up: `repository:tag` and `repository@digest`. Nodes also list images by names that nobody could
 * pull, such as `<none>@<none>`; they are left out.
 */
export function heldNames(listed: Iterable<string>): Set<string> {
  const held = new Set<string>();
  for (const text of listed) {
    const name = tryParse(text);
    if (name)
      held.add(name.digest === undefined ? `${name.repository}:${name.tag}` : `${name.repository}@${name.digest}`);
  }
  return held;
}

/**
 * Whether the image is among the held names. With a digest only the digest counts. A tag alone counts as the kubelet counts it for pods
 * that pull when absent; `latest` moves, so it never does.
 */
export function isHeld(held: ReadonlySet<string>, { repository, tag, digest }: ImageName): boolean {
  if (digest !== undefined) return held.has(`${repository}@${digest}`);
  return tag !== 'latest' && held.has(`${repository}:${tag}`);
}

function tryParse(text: string): ImageName | undefined {
  try {
    return parseImageName(text);
  } catch {
    return undefined;
  }
}
