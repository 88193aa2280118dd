import type { ImageRule } from '../config/image-rule.ts';
import { fullName, fullNameWithTag, type ImageReference, tagWithDigest } from '../reference/image-reference.ts';

export interface Variable {
  readonly name: string;
  readonly value: string;
}

type PluginTarget = ImageRule['target']['plugin'];

/** The variables that set an image. */
export function variablesFor(image: ImageReference, { name, tag, spec }: PluginTarget): Variable[] {
  if (spec !== '') return [{ name: spec, value: fullNameWithTag(image) }];
  const version = tagWithDigest(image);
  return [
    ...(name === '' ? [] : [{ name, value: fullName(image) }]),
    ...(tag === '' || version === '' ? [] : [{ name: tag, value: version }]),
  ];
}

/** The current image according to the variables; empty if they do not contain it. */
export function imageInVariables(variables: readonly Variable[], { name, tag, spec }: PluginTarget): string {
  const given = (variableName: string): string =>
    variableName === '' ? '' : (variables.find((variable) => variable.name === variableName)?.value ?? '');
  if (spec !== '') return given(spec);
  const [image, version] = [given(name), given(tag)];
  return image === '' || version === '' ? '' : `${image}:${version}`;
}

/** Existing entries are changed in place, new ones are appended. */
export function mergeVariables(current: readonly Variable[], added: readonly Variable[]): Variable[] {
  const byName = new Map(added.map((variable) => [variable.name, variable]));
  const known = new Set(current.map(({ name }) => name));
  return [
    ...current.map((variable) => byName.get(variable.name) ?? variable),
    ...added.filter(({ name }) => !known.has(name)),
  ];
}
