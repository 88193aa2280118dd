/**
 * An image reference in its canonical form. `nginx`, `library/nginx`, `docker.io/nginx` and `index.docker.io/library/nginx`
 * are the same image.
 */
export interface ImageReference {
  /** `docker.io` if the text has no registry. */
  readonly registry: string;
  /** The path within the registry: `library/nginx`. */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** The parts of a reference as written, not validated. */
export interface ImageReferenceParts {
  /** The registry host, or empty if the text has none. */
  readonly domain: string;
  readonly path: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

export class ImageReferenceError extends Error {
  constructor(text: string, problem: string) {
    super(`${JSON.stringify(text.slice(0, 300))} is not a valid image reference: ${problem}`);
    this.name = 'ImageReferenceError';
  }
}

export const dockerHub = 'docker.io';
const dockerHubAliases = new Set(['', 'docker.io', 'index.docker.io', 'registry-1.docker.io']);

const hostPattern =
  /^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;
const componentPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
/** The limit of the distribution reference grammar, on the path without the registry. */
const maxPathLength = 255;

export const isImageTag = (text: string): boolean => tagPattern.test(text);
export const isImageDigest = (text: string): boolean => digestPattern.test(text);

/**
 * Splits `[registry/]path[:tag][@digest]`. The first component is a registry only when it has a dot, a port, capital
 * letters, or is `localhost`.
 */
export function splitImageReference(text: string): ImageReferenceParts {
  const at = text.indexOf('@');
  const named = at < 0 ? text : text.slice(0, at);
  const digest = at < 0 ? undefined : text.slice(at + 1);
  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const domain = isHost ? first : '';
  const rest = isHost ? named.slice(slash + 1) : named;
  const colon = rest.indexOf(':');
  if (colon < 0) return { domain, path: rest, tag: undefined, digest };
  return { domain, path: rest.slice(0, colon), tag: rest.slice(colon + 1), digest };
}

/** The canonical registry and repository of a written domain and path. */
export function canonicalRepository(domain: string, path: string): { registry: string; repository: string } {
  if (!dockerHubAliases.has(domain)) return { registry: domain, repository: path };
  return { registry: dockerHub, repository: path.includes('/') ? path : `library/${path}` };
}

/** Throws an ImageReferenceError when the text is not a reference that a registry accepts. */
export function parseImageReference(text: string): ImageReference {
  const problem = imageReferenceProblem(text);
  if (problem !== undefined) throw new ImageReferenceError(text, problem);
  const { domain, path, tag, digest } = splitImageReference(text);
  return {
    ...canonicalRepository(domain, path),
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Undefined when the text is not a valid image reference. */
export const tryParseImageReference = (text: string): ImageReference | undefined =>
  imageReferenceProblem(text) === undefined ? parseImageReference(text) : undefined;

/** Why the text is not an image reference, or undefined when it is one. */
export function imageReferenceProblem(text: string): string | undefined {
  const { domain, path, tag, digest } = splitImageReference(text);
  if (digest?.includes('@')) return 'it has more than one "@"';
  if (digest !== undefined && !isImageDigest(digest)) return `invalid digest ${JSON.stringify(digest)}`;
  if (tag !== undefined && !isImageTag(tag)) return `invalid tag ${JSON.stringify(tag)}`;
  if (domain !== '' && !hostPattern.test(domain)) return `invalid registry host ${JSON.stringify(domain)}`;
  const wrong = path.split('/').find((component) => !componentPattern.test(component));
  if (wrong === '') return 'a component of the repository name is empty';
  if (wrong !== undefined)
    return `invalid repository component ${JSON.stringify(wrong)}: use lowercase letters, digits and single separators . _ -`;
  if (canonicalRepository(domain, path).repository.length > maxPathLength)
    return `the repository name is longer than ${maxPathLength} characters`;
  if (domain === '' && /^[a-f0-9]{64}$/.test(path)) return 'it is an image ID';
  return undefined;
}

/** `docker.io/library/nginx` */
export const repositoryName = ({ registry, repository }: Pick<ImageReference, 'registry' | 'repository'>): string =>
  `${registry}/${repository}`;

/** `docker.io/library/nginx:1.29` or, with a digest, `docker.io/library/nginx@sha256:…`. The default tag is `latest`. */
export const canonicalImageName = (image: ImageReference): string =>
  image.digest === undefined
    ? `${repositoryName(image)}:${image.tag ?? 'latest'}`
    : `${repositoryName(image)}@${image.digest}`;
