import {
  canonicalRepository,
  dockerHub,
  type ImageReference,
  imageReferenceProblem,
  splitImageReference,
} from '@fairlead/apimachinery';
import { SourceError } from '../source-error.ts';

export { isImageTag as isTag } from '@fairlead/apimachinery';

/** Whether the text is a digest of a supported algorithm. */
export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$|^sha512:[0-9a-f]{128}$/u.test(text);

/** Parses `[oci://]registry/repository[:tag][@digest]`. The first component is the registry, also if it has no dot. */
export function parseOciReference(text: string): ImageReference {
  const address = lowerCaseRegistry(
    text
      .trim()
      .replace(/^oci:\/\//iu, '')
      .replace(/\/+$/u, ''),
  );
  const { domain, path, tag, digest } = splitImageReference(address);
  const [registry = '', repository = ''] = domain === '' ? splitOnce(path) : [domain, path];
  const problem =
    registry === '' || repository === '' ? 'use oci://registry/repository' : imageReferenceProblem(address);
  const unsupported =
    digest !== undefined && !isDigest(digest) ? `unsupported digest ${JSON.stringify(digest)}` : undefined;
  if (problem !== undefined || unsupported !== undefined) {
    const quoted = JSON.stringify(text.slice(0, 300));
    throw new SourceError('InvalidUrl', `${quoted} is not a valid OCI reference: ${problem ?? unsupported}`);
  }
  return {
    ...canonicalRepository(registry, repository),
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Before anything is checked: a registry without a dot is known by its capital letters only. */
function lowerCaseRegistry(address: string): string {
  const { domain } = splitImageReference(address);
  return domain.toLowerCase() + address.slice(domain.length);
}

function splitOnce(path: string): readonly string[] {
  const slash = path.indexOf('/');
  return slash < 0 ? [] : [path.slice(0, slash), path.slice(slash + 1)];
}

/** The URL of a registry's server. */
export function registryServer(registry: string, plainHttp = isLoopback(registry)): string {
  const host = registry === dockerHub ? 'registry-1.docker.io' : registry;
  return `${plainHttp ? 'http' : 'https'}://${host}`;
}

/** Registries on loopback use plain HTTP, as in other clients. */
const isLoopback = (registry: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/u.test(registry);
