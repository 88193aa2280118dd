import { canonicalRepository } from '@fairlead/apimachinery';
import {
  fullNameWithTag,
  type ImageReference,
  parseImage,
  sameImage,
  sameVersion,
} from '../reference/image-reference.ts';

/** `[name=]image[:tag][@digest]`, as in `spec.source.kustomize.images`. */
export type KustomizeImage = string;

const delimiterOf = (image: KustomizeImage): string => ['=', ':', '@'].find((mark) => image.includes(mark)) ?? ':';

/** Whether two overrides are for the same image of the manifests: by the part before the first separator of the second. */
export function matches(a: KustomizeImage, b: KustomizeImage): boolean {
  const mark = delimiterOf(b);
  return a.split(mark, 1)[0] === b.split(mark, 1)[0];
}

export const findOverride = (images: readonly KustomizeImage[], image: KustomizeImage): number =>
  images.findIndex((candidate) => matches(candidate, image));

/** Names without their registry: an override may omit it. */
const sameName = (a: ImageReference, b: ImageReference): boolean =>
  a.name === b.name || canonicalRepository('', a.name).repository === canonicalRepository('', b.name).repository;

/** By the name in the manifests if it is known, otherwise by the name of the image. */
function concerns(current: ImageReference, image: ImageReference, kustomizeName: string): boolean {
  if (kustomizeName === '') return sameName(current, image);
  if (current.alias !== '') return current.alias === kustomizeName && sameName(current, image);
  return sameName(current, image) || sameImage(current, parseImage(kustomizeName));
}

/** The current override of an image; empty if it has none. */
export const overrideOf = (
  images: readonly KustomizeImage[],
  image: ImageReference,
  kustomizeName: string,
): KustomizeImage => images.find((candidate) => concerns(parseImage(candidate), image, kustomizeName)) ?? '';

/** The overrides with a new version of an image: it replaces the old one, or is appended. */
export function setOverride(
  images: readonly KustomizeImage[],
  image: ImageReference,
  kustomizeName: string,
): KustomizeImage[] {
  const override = `${kustomizeName === '' ? '' : `${kustomizeName}=`}${fullNameWithTag(image)}`;
  const replaced = images.map((current) => (concerns(parseImage(current), image, kustomizeName) ? override : current));
  const at = findOverride(replaced, override);
  return at < 0 ? [...replaced, override] : replaced.map((current, i) => (i === at ? override : current));
}

/** Merges overrides into those of a file: a given version replaces another, an absent one does not. */
export function mergeOverrides(
  existing: readonly KustomizeImage[],
  added: readonly KustomizeImage[],
): KustomizeImage[] {
  const merged = [...existing];
  for (const text of added) {
    const image = parseImage(text);
    const at = merged.findIndex((candidate) => isSameOverride(parseImage(candidate), image));
    const found = merged[at];
    const old = found === undefined ? undefined : parseImage(found);
    if (!old) merged.push(text);
    else if (!hasVersion(old) || (hasVersion(image) && !sameVersion(old, image))) merged[at] = text;
  }
  return merged;
}

/** Two names in the manifests may have one image: if both have a name, the names are compared. */
const isSameOverride = (a: ImageReference, b: ImageReference): boolean =>
  a.alias !== '' && b.alias !== '' ? a.alias === b.alias : sameImage(a, b);

const hasVersion = ({ tag, digest }: ImageReference): boolean => tag !== undefined || digest !== undefined;

/** An entry of `images:` in a kustomization. */
export interface KustomizationImage {
  readonly name: string;
  readonly newName: string;
  readonly newTag: string;
  readonly digest: string;
}

/** The name stays as it was written: Kustomize compares it with the manifests literally. */
export function kustomizationImage(override: KustomizeImage): KustomizationImage {
  const { alias, tag = '', digest = '' } = parseImage(override);
  const image = alias === '' ? override : override.slice(alias.length + 1);
  const name = image.replace(/@.*$/su, '').replace(/:[^/]*$/u, '');
  return alias === ''
    ? { name, newName: '', newTag: tag, digest }
    : { name: alias, newName: name, newTag: tag, digest };
}
