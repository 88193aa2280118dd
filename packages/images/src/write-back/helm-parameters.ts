import type { ApplicationSource } from '@fairlead/api';
import type { ImageRule } from '../config/image-rule.ts';
import { fullName, fullNameWithTag, type ImageReference, tagWithDigest } from '../reference/image-reference.ts';

export type HelmParameter = NonNullable<NonNullable<ApplicationSource['helm']>['parameters']>[number];
type HelmTarget = ImageRule['target']['helm'];

export const defaultNameParameter = 'image.name';
export const defaultTagParameter = 'image.tag';

/** The names of the parameters for an image's name and tag; the tag's is empty if one parameter holds both. */
export function parameterNames(alias: string, { name, tag, spec }: HelmTarget): { name: string; tag: string } {
  if (alias === '') return { name: defaultNameParameter, tag: defaultTagParameter };
  if (spec !== '') return { name: spec.trim(), tag: '' };
  return { name: name || defaultNameParameter, tag: tag || defaultTagParameter };
}

/** As `parameterNames`, for writing: an image without an alias also has its configured parameters. */
const written = (target: HelmTarget): { name: string; tag: string; spec: string } =>
  target.spec !== ''
    ? target
    : { name: target.name || defaultNameParameter, tag: target.tag || defaultTagParameter, spec: '' };

/** The parameters that set an image. */
export function parametersFor(image: ImageReference, target: HelmTarget): HelmParameter[] {
  const { name, tag, spec } = written(target);
  if (spec !== '') return [{ name: spec, value: fullNameWithTag(image), forceString: true }];
  const version = tagWithDigest(image);
  return [
    { name, value: fullName(image), forceString: true },
    ...(version === '' ? [] : [{ name: tag, value: version, forceString: true }]),
  ];
}

/** The current image according to the parameters; empty if they do not contain it. */
export function imageInParameters(parameters: readonly HelmParameter[], target: HelmTarget): string {
  const { name, tag, spec } = written(target);
  const given = (parameterName: string): string | undefined =>
    parameters.find((parameter) => parameter.name === parameterName)?.value;
  if (spec !== '') return given(spec) ?? '';
  const [image, version] = [given(name), given(tag)];
  return image === undefined || version === undefined ? '' : `${image}:${version}`;
}

/** Existing entries are changed in place, new ones are appended. */
export function mergeParameters(current: readonly HelmParameter[], added: readonly HelmParameter[]): HelmParameter[] {
  const byName = new Map(added.map((parameter) => [parameter.name, parameter]));
  const known = new Set(current.map(({ name }) => name));
  return [
    ...current.map((parameter) => byName.get(parameter.name) ?? parameter),
    ...added.filter(({ name }) => !known.has(name)),
  ];
}

export const sortParameters = (parameters: readonly HelmParameter[]): HelmParameter[] =>
  parameters.toSorted(({ name: a = '' }, { name: b = '' }) => (a < b ? -1 : a > b ? 1 : 0));
