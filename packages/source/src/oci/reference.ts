import { SourceError } from '../source-error.ts';

/** Where something lies in a registry. */
export interface OciReference {
  /** `host` or `host:port`, as people write it. */
  readonly registry: string;
  /** `library/nginx` */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:…`; it counts, where both are given. */
  readonly digest?: string;
}

const repositoryName = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/u;
const registryName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/u;
const tagName = /^\w[\w.-]{0,127}$/u;

export const isTag = (text: string): boolean => tagName.test(text);
export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$|^sha512:[0-9a-f]{128}$/u.test(text);

/** Reads `[oci://]registry/repository[:tag][@digest]`. */
export function parseOciReference(text: string): OciReference {
  const refuse = (why: string): never => {
    throw new SourceError(
      'InvalidUrl',
      `${JSON.stringify(text.slice(0, 300))} is not the address of an artifact: ${why}`,
    );
  };
  const [address = '', digest] = text
    .trim()
    .replace(/^oci:\/\//iu, '')
    .replace(/\/+$/u, '')
    .split('@', 2);
  const slash = address.indexOf('/');
  if (slash < 0) return refuse('use oci://registry/repository');
  const registry = address.slice(0, slash);
  const colon = address.indexOf(':', slash);
  const repository = address.slice(slash + 1, colon < 0 ? undefined : colon);
  const tag = colon < 0 ? undefined : address.slice(colon + 1);
  if (!registryName.test(registry)) return refuse(`${JSON.stringify(registry)} is not a host`);
  if (!repositoryName.test(repository))
    return refuse(`${JSON.stringify(repository)} is not the name of a repository, which has small letters only`);
  if (tag !== undefined && !isTag(tag)) return refuse(`${JSON.stringify(tag)} is not a tag`);
  if (digest !== undefined && !isDigest(digest)) return refuse(`${JSON.stringify(digest)} is not a digest`);
  return {
    registry: registry.toLowerCase(),
    repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The server behind the name: Docker Hub goes by several. */
export function registryServer(registry: string, plainHttp = isLoopback(registry)): string {
  const host = registry === 'docker.io' || registry === 'index.docker.io' ? 'registry-1.docker.io' : registry;
  return `${plainHttp ? 'http' : 'https'}://${host}`;
}

/** Registries on one's own machine speak plain HTTP, as all clients expect. */
const isLoopback = (registry: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/u.test(registry);
