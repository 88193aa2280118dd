import type { ApplicationSource } from '@fairlead/api';
import { splitImage } from '../kustomize/transform/images.ts';
import { RenderError } from '../render-error.ts';
import type { Variables } from './render-context.ts';

export type KustomizeSource = NonNullable<ApplicationSource['kustomize']>;
type Fields = Record<string, unknown>;
type Texts = Record<string, string>;
type Image = { name?: string; newName?: string; newTag?: string; digest?: string };
type Label = { pairs?: Texts; includeSelectors?: boolean; includeTemplates?: boolean };

/** Whether an Application's options change its kustomization. */
export const hasEdits = (options: KustomizeSource): boolean =>
  Boolean(options.namePrefix || options.nameSuffix || options.namespace) ||
  [options.images, options.replicas, options.patches, options.components].some((list) => list?.length) ||
  [options.commonLabels, options.commonAnnotations].some((texts) => texts && Object.keys(texts).length > 0);

/** The kustomization after `kustomize edit` with an Application's options. `components` are those that exist. */
export function editKustomization(
  kustomization: Fields,
  options: KustomizeSource,
  components: readonly string[],
  variables: Variables,
): Fields {
  const edited: Fields = { ...kustomization };
  if (options.namePrefix) edited['namePrefix'] = options.namePrefix;
  if (options.nameSuffix) edited['nameSuffix'] = options.nameSuffix;
  if (options.namespace) edited['namespace'] = options.namespace;
  if (options.images?.length)
    edited['images'] = withImages(
      listOf<Image>(edited, 'images'),
      options.images.map((image) => variables.expand(image)),
    );
  if (options.replicas?.length)
    edited['replicas'] = byName<{ name: string; count: number }>(
      listOf(edited, 'replicas'),
      options.replicas.map(replicaCount),
    );
  addLabels(edited, options, variables);
  addAnnotations(edited, options, variables);
  if (options.patches?.length) edited['patches'] = [...listOf(edited, 'patches'), ...options.patches];
  if (components.length > 0)
    edited['components'] = [...new Set([...listOf<string>(edited, 'components'), ...components])];
  return edited;
}

const listOf = <T>(fields: Fields, name: string): readonly T[] =>
  Array.isArray(fields[name]) ? (fields[name] as T[]) : [];

/** The entries of both, sorted by name; an added entry replaces an old one of the same name. */
function byName<T extends { name?: string }>(old: readonly T[], added: readonly T[]): T[] {
  const entries = new Map([...old, ...added].map((entry) => [entry.name ?? '', entry]));
  return [...entries.values()].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
}

function withImages(old: readonly Image[], written: readonly string[]): Image[] {
  const kept = (value: string | undefined, before: string | undefined): string | undefined =>
    value === '*' ? before : value;
  const added = written.map((text) => {
    const image = imageChange(text);
    const before = old.find(({ name }) => name === image.name);
    const fields = (['newName', 'newTag', 'digest'] as const).flatMap((field) => {
      const value = kept(image[field], before?.[field]);
      return value ? [[field, value] as const] : [];
    });
    return { name: image.name ?? '', ...Object.fromEntries(fields) };
  });
  return byName(old, added);
}

/** An entry of `kustomize.images`: `[old=]name[:tag][@digest]`. */
function imageChange(text: string): Image {
  const equals = text.indexOf('=');
  const [old, value] = equals < 0 ? ['', text] : [text.slice(0, equals), text.slice(equals + 1)];
  const { name, tag, digest } = splitImage(value);
  if (name === text)
    throw new RenderError(
      'InvalidOption',
      `kustomize.images: ${JSON.stringify(text)} changes nothing. Use name:tag, name@digest or old=new.`,
    );
  const change = { newTag: tag, digest };
  return old === '' ? { name, ...change } : { name: old, newName: name, ...change };
}

function replicaCount({ name, count }: { name: string; count: number | string }): { name: string; count: number } {
  const number = typeof count === 'number' ? count : Number(/^\s*[-+]?\d+\s*$/u.test(count) ? count : Number.NaN);
  if (!Number.isInteger(number))
    throw new RenderError(
      'InvalidOption',
      `kustomize.replicas: the count of ${name} is ${count}, which is not an integer`,
    );
  return { name, count: number };
}

function addLabels(edited: Fields, options: KustomizeSource, variables: Variables): void {
  const added = expanded(options.commonLabels ?? {}, variables);
  if (Object.keys(added).length === 0) return;
  const force = options.forceCommonLabels ?? false;
  const includeTemplates = options.labelIncludeTemplates ?? false;
  if (!options.labelWithoutSelector) {
    if (includeTemplates)
      throw new RenderError('InvalidOption', 'kustomize.labelIncludeTemplates requires kustomize.labelWithoutSelector');
    edited['commonLabels'] = withTexts(edited['commonLabels'] as Texts | undefined, added, force, 'label');
    return;
  }
  const labels = listOf<Label>(edited, 'labels');
  const at = labels.findIndex(
    (label) => !label.includeSelectors && (label.includeTemplates ?? false) === includeTemplates,
  );
  const changed: Label = { ...labels[at], pairs: withTexts(labels[at]?.pairs, added, force, 'label') };
  edited['labels'] =
    at < 0
      ? [...labels, { ...changed, ...(includeTemplates ? { includeTemplates } : {}) }]
      : labels.map((label, i) => (i === at ? changed : label));
}

function addAnnotations(edited: Fields, options: KustomizeSource, variables: Variables): void {
  const { commonAnnotations: written = {}, commonAnnotationsEnvsubst, forceCommonAnnotations = false } = options;
  if (Object.keys(written).length === 0) return;
  const added = commonAnnotationsEnvsubst ? expanded(written, variables) : written;
  const old = edited['commonAnnotations'] as Texts | undefined;
  edited['commonAnnotations'] = withTexts(old, added, forceCommonAnnotations, 'annotation');
}

const expanded = (texts: Texts, variables: Variables): Texts =>
  Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, variables.expand(value)]));

function withTexts(old: Texts | undefined, added: Texts, force: boolean, what: 'label' | 'annotation'): Texts {
  const taken = force ? undefined : Object.keys(added).find((key) => old && Object.hasOwn(old, key));
  if (taken === undefined) return { ...old, ...added };
  const option = what === 'label' ? 'forceCommonLabels' : 'forceCommonAnnotations';
  throw new RenderError(
    'InvalidOption',
    `${what} ${taken} already in kustomization file. Set kustomize.${option} to replace it.`,
  );
}
