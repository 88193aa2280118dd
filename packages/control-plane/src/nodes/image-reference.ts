/** An image's name in full: `nginx` is `docker.io/library/nginx:latest` wherever it is compared. */
export interface ImageReference {
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
  /** Registry, repository and tag or digest: what nodes keep images by. */
  readonly full: string;
}

const repositoryPart = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const digestPattern = /^[a-z0-9]+:[0-9a-f]{32,}$/;

/** Undefined when the text is no image reference: the kubelet then says `InvalidImageName`. */
export function parseImage(text: string): ImageReference | undefined {
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !digestPattern.test(digest))) return undefined;
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const path = hasTag ? named.slice(0, colon) : named;
  const tag = hasTag ? named.slice(colon + 1) : digest ? undefined : 'latest';
  if (tag !== undefined && !tagPattern.test(tag)) return undefined;
  const [first = '', ...rest] = path.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const registry = isHost ? first : 'docker.io';
  const parts = isHost ? rest : [first, ...rest];
  if (parts.some((part) => !repositoryPart.test(part))) return undefined;
  const repository = !isHost && parts.length === 1 ? `library/${parts[0]}` : parts.join('/');
  const name = `${registry}/${repository}`;
  return {
    registry,
    repository,
    ...(tag !== undefined ? { tag } : {}),
    ...(digest !== undefined ? { digest } : {}),
    full: digest ? `${name}@${digest}` : `${name}:${tag}`,
  };
}
