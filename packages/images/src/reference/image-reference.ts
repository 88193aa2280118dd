import {
  canonicalRepository,
  dockerHub,
  isImageTag,
  repositoryName,
  splitImageReference,
} from '@fairlead/apimachinery';

/**
 * An image as a user wrote it: `[alias=][registry/]name[:tag][@digest]`. The tag of a configured image is a version constraint, so
 * `web=nginx:>=1.0 <2` is valid. `registry` is empty if none is written; the configuration decides which one is used then.
 */
export interface ImageReference {
  readonly alias: string;
  readonly registry: string;
  readonly name: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
  readonly original: string;
}

export type VersionOfImage = Pick<ImageReference, 'tag' | 'digest'>;
type Named = Pick<ImageReference, 'registry' | 'name'>;

const digestPattern = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/u;
const pathPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/u;

/** Never fails: the parts are not validated. */
export function parseImage(text: string): ImageReference {
  const { alias, image } = splitAlias(text);
  const { domain, path, tag, digest } = splitImageReference(image);
  // Argo CD Image Updater drops `library/` after a registry and keeps it if there is no registry.
  const name = domain === dockerHub || domain === 'index.docker.io' ? path.replace(/^library\/(?=[^/]+$)/u, '') : path;
  return { alias, registry: domain === 'index.docker.io' ? '' : domain, name, tag, digest, original: text };
}

/** Whether a registry accepts name, tag and digest as written: a constraint such as `^1.2` is not a tag. */
export const isPullable = ({ name, tag, digest }: ImageReference): boolean =>
  pathPattern.test(name) &&
  (tag === undefined || isImageTag(tag)) &&
  (digest === undefined || digestPattern.test(digest));

/** The `=` of a constraint (`nginx:>=1.0`) does not end an alias. */
function splitAlias(text: string): { alias: string; image: string } {
  const equals = text.indexOf('=');
  if (equals < 0 || /:[^/]*[<>!~^]$/u.test(text.slice(0, equals))) return { alias: '', image: text };
  return { alias: text.slice(0, equals), image: text.slice(equals + 1) };
}

export const withVersion = (image: ImageReference, { tag, digest }: VersionOfImage): ImageReference => ({
  ...image,
  tag,
  digest,
});

/** `registry/name`, without repeating a registry that the name already starts with. */
export function fullName({ registry, name }: Named): string {
  return registry === '' || name.startsWith(`${registry}/`) ? name : `${registry}/${name}`;
}

export const fullNameWithTag = (image: Omit<ImageReference, 'alias' | 'original'>): string =>
  `${fullName(image)}${image.tag ? `:${image.tag}` : ''}${image.digest ? `@${image.digest}` : ''}`;

/** For a field that contains a tag: a digest needs a tag before it. */
export function tagWithDigest({ tag, digest }: VersionOfImage): string {
  if (!digest) return tag ?? '';
  return `${tag || 'latest'}@${digest}`;
}

export const formatImage = (image: ImageReference): string =>
  `${image.alias === '' ? '' : `${image.alias}=`}${fullNameWithTag(image)}`;

/** The digest or, without one, the tag. */
export const versionText = ({ tag, digest }: VersionOfImage): string => digest || tag || '';

/** Versions are equal by digest if either has one, otherwise by tag. */
export const sameVersion = (a: VersionOfImage, b: VersionOfImage): boolean =>
  a.digest || b.digest ? (a.digest ?? '') === (b.digest ?? '') : (a.tag ?? '') === (b.tag ?? '');

/** `docker.io/library/nginx` for all spellings. */
export const canonicalName = ({ registry, name }: Named): string =>
  repositoryName(canonicalRepository(registry.toLowerCase(), name));

export const sameImage = (a: Named, b: Named): boolean => canonicalName(a) === canonicalName(b);

/** Compares literally: another spelling of the registry differs, and so does another tag if versions are checked. */
export const differs = (a: ImageReference, b: ImageReference, checkVersion: boolean): boolean =>
  a.registry !== b.registry || a.name !== b.name || (checkVersion && (a.tag ?? '') !== (b.tag ?? ''));

/** Whether a name in a values file begins with a registry. Only a dot decides, as in Argo CD Image Updater. */
export function hasRegistryPrefix(name: string): boolean {
  const slash = name.indexOf('/');
  return slash >= 0 && name.slice(0, slash).includes('.');
}

/** The name without its registry prefix. */
export const withoutRegistry = (name: string): string =>
  hasRegistryPrefix(name) ? name.slice(name.indexOf('/') + 1) : name;
