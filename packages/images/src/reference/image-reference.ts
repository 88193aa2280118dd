import { splitDomain } from './split-domain.ts';

/**
 * An image as somebody wrote it: `[alias=][registry/]name[:tag][@digest]`. Of a configured image the tag is a version constraint, so
 * that `web=nginx:>=1.0 <2` is one too. `registry` is empty where none was written: which one is meant then is configuration.
 */
export interface ImageReference {
  readonly alias: string;
  readonly registry: string;
  readonly name: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
  readonly original: string;
}

export interface VersionOfImage {
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

const strictTag = /^\w[\w.-]{0,127}$/u;
const strictDigest = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/u;
const pathOf = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/u;

export function parseImage(text: string): ImageReference {
  const { alias, image } = splitAlias(text);
  const { domain, rest } = splitDomain(image);
  const { name, tag, digest } = splitVersion(rest);
  const onHub = domain === '' || domain === 'docker.io' || domain === 'index.docker.io';
  const short = onHub && !image.startsWith('library/') ? name.replace(/^library\/(?=[^/]+$)/u, '') : name;
  const registry = domain === 'index.docker.io' ? (image.startsWith('docker.io') ? 'docker.io' : '') : domain;
  return { alias, registry, name: short, tag, digest, original: text };
}

/** Whether a person could pull what was written: a registry would take name, tag and digest as they are. */
export const isPullable = ({ name, tag, digest }: ImageReference): boolean =>
  pathOf.test(name) &&
  (tag === undefined || strictTag.test(tag)) &&
  (digest === undefined || strictDigest.test(digest));

/** The `=` of a constraint (`nginx:>=1.0`) ends no alias. */
function splitAlias(text: string): { alias: string; image: string } {
  const equals = text.indexOf('=');
  if (equals < 0 || /:[^/]*[<>!~^]$/u.test(text.slice(0, equals))) return { alias: '', image: text };
  return { alias: text.slice(0, equals), image: text.slice(equals + 1) };
}

function splitVersion(text: string): { name: string } & VersionOfImage {
  const at = text.indexOf('@');
  const before = at < 0 ? text : text.slice(0, at);
  const digest = at < 0 ? undefined : text.slice(at + 1);
  const colon = before.indexOf(':');
  if (colon < 0) return { name: before, tag: undefined, digest };
  return { name: before.slice(0, colon), tag: before.slice(colon + 1), digest };
}

/** `tag[@digest]` in its parts. */
export function splitTag(text: string): { tag: string; digest: string } {
  const [tag = '', digest, ...more] = text.split('@');
  return digest === undefined || more.length > 0 ? { tag: text, digest: '' } : { tag, digest };
}

export const withVersion = (image: ImageReference, { tag, digest }: VersionOfImage): ImageReference => ({
  ...image,
  tag,
  digest,
});

/** `registry/name`; a name that begins with its registry is not given it twice. */
export function fullName({ registry, name }: Pick<ImageReference, 'registry' | 'name'>): string {
  return registry === '' || name.startsWith(`${registry}/`) ? name : `${registry}/${name}`;
}

export const fullNameWithTag = (image: Omit<ImageReference, 'alias' | 'original'>): string =>
  `${fullName(image)}${image.tag ? `:${image.tag}` : ''}${image.digest ? `@${image.digest}` : ''}`;

/** What goes where only a tag is expected: a digest alone cannot stand there. */
export function tagWithDigest({ tag, digest }: VersionOfImage): string {
  if (!digest) return tag ?? '';
  return `${tag || 'latest'}@${digest}`;
}

export const formatImage = (image: ImageReference): string =>
  `${image.alias === '' ? '' : `${image.alias}=`}${fullNameWithTag(image)}`;

/** The digest where there is one: that is what a version comes to. */
export const versionText = ({ tag, digest }: VersionOfImage): string => digest || tag || '';

/** Two versions are the same by digest where either has one, else by tag. */
export const sameVersion = (a: VersionOfImage, b: VersionOfImage): boolean =>
  a.digest || b.digest ? (a.digest ?? '') === (b.digest ?? '') : (a.tag ?? '') === (b.tag ?? '');
