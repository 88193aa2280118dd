import type { ImageConfig, ImageUpdateSettings, ManifestTargets, WriteBackConfig } from '@fairlead/api';
import { ImagesError } from '../images-error.ts';
import {
  annotationKey,
  annotationPrefix,
  annotationTable,
  type BooleanAnnotation,
  type ListAnnotation,
  type TextAnnotation,
} from './annotation-table.ts';

/** The annotations of an Application. A blank value counts as absent. */
export type Annotations = Readonly<Record<string, string>>;

export const imageListAnnotation = `${annotationPrefix}/${annotationTable.imageList.suffix}`;

/** Reads annotations of one image, or of the whole Application if the alias is empty. */
class Reader {
  readonly #annotations: Annotations;
  readonly #alias: string;

  constructor(annotations: Annotations, alias: string) {
    this.#annotations = annotations;
    this.#alias = alias;
  }

  text(name: TextAnnotation): string | undefined {
    return this.#raw(name)?.trim() || undefined;
  }

  list(name: ListAnnotation): string[] | undefined {
    return this.#raw(name)
      ?.split(',')
      .map((item) => item.trim());
  }

  boolean(name: BooleanAnnotation): boolean | undefined {
    const text = this.#raw(name)?.trim();
    if (text === undefined) return undefined;
    if (/^(?:1|t|T|true|True|TRUE)$/u.test(text)) return true;
    if (/^(?:0|f|F|false|False|FALSE)$/u.test(text)) return false;
    const key = annotationKey(name, this.#alias);
    throw new ImagesError('InvalidSettings', `${key} is ${JSON.stringify(text)}: write true or false`);
  }

  #raw(name: TextAnnotation | ListAnnotation | BooleanAnnotation): string | undefined {
    const key = annotationKey(name, this.#alias);
    return key === undefined ? undefined : this.#annotations[key];
  }
}

/** The object without undefined fields; undefined if none is left. */
function present<T extends object>(value: { [K in keyof T]: T[K] | undefined }): Partial<T> | undefined {
  const result: Partial<T> = {};
  let empty = true;
  for (const key in value) {
    const field = value[key];
    if (field === undefined) continue;
    result[key] = field;
    empty = false;
  }
  return empty ? undefined : result;
}

/** The settings at one level, without inherited ones. */
export function settingsOf(annotations: Annotations, alias: string): ImageUpdateSettings | undefined {
  const read = new Reader(annotations, alias);
  const platforms = read.list('platforms')?.filter((platform) => platform !== '');
  return present<ImageUpdateSettings>({
    updateStrategy: read.text('updateStrategy'),
    forceUpdate: read.boolean('forceUpdate'),
    allowTags: read.text('allowTags'),
    ignoreTags: read.list('ignoreTags'),
    pullSecret: read.text('pullSecret'),
    platforms: platforms && platforms.length > 0 ? platforms : undefined,
  });
}

/** The location of the image in the manifests. */
export function manifestTargetOf(annotations: Annotations, alias: string): ManifestTargets | undefined {
  const read = new Reader(annotations, alias);
  const kustomizeName = read.text('kustomizeName');
  const helm = present<NonNullable<ManifestTargets['helm']>>({
    name: read.text('helmName'),
    tag: read.text('helmTag'),
    spec: read.text('helmSpec'),
  });
  if (helm && kustomizeName !== undefined) {
    throw new ImagesError('InvalidSettings', `${alias} has annotations for Helm and for Kustomize: remove one of them`);
  }
  return present<ManifestTargets>({
    helm,
    kustomize: kustomizeName === undefined ? undefined : { name: kustomizeName },
  });
}

/** The images of `image-list`. One invalid entry fails the whole list. */
export function imagesOf(annotations: Annotations): ImageConfig[] {
  const text = annotations[imageListAnnotation];
  const images = (text ?? '')
    .split(',')
    .flatMap((entry) => (entry.trim() === '' ? [] : imageOf(annotations, entry.trim())));
  if (images.length === 0) {
    throw new ImagesError('InvalidSettings', `${imageListAnnotation} is ${text === undefined ? 'missing' : 'empty'}`);
  }
  return images;
}

function imageOf(annotations: Annotations, entry: string): ImageConfig {
  const equals = /^[^=]*:[^/=]*[<>!~^]=/u.test(entry) ? -1 : entry.indexOf('=');
  const alias = equals < 0 ? '' : entry.slice(0, equals).trim();
  const imageName = entry.slice(equals + 1).trim();
  if (imageName === '') throw new ImagesError('InvalidSettings', `${imageListAnnotation}: ${entry} has no image name`);
  // An annotation name allows only one slash: those of an alias may be written as underscores.
  const settings = alias === '' ? undefined : (settingsOf(annotations, alias) ?? settingsOf(annotations, asKey(alias)));
  const target =
    alias === '' ? undefined : (manifestTargetOf(annotations, alias) ?? manifestTargetOf(annotations, asKey(alias)));
  return {
    alias,
    imageName,
    ...(settings ? { commonUpdateSettings: settings } : {}),
    ...(target ? { manifestTargets: target } : {}),
  };
}

const asKey = (alias: string): string => alias.replaceAll('/', '_');

/** How and where new versions are written. */
export function writeBackOf(annotations: Annotations): WriteBackConfig | undefined {
  const read = new Reader(annotations, '');
  return present<WriteBackConfig>({
    method: read.text('writeBackMethod'),
    gitConfig: present<NonNullable<WriteBackConfig['gitConfig']>>({
      writeBackTarget: read.text('writeBackTarget'),
      branch: read.text('gitBranch'),
      repository: read.text('gitRepository'),
    }),
  });
}
