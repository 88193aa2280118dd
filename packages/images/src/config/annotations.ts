import type { ImageConfig, ImageUpdateSettings, ManifestTargets, WriteBackConfig } from '@fairlead/api';
import { ImagesError } from '../images-error.ts';

/** What annotations of an Application say. An annotation that is there and blank says nothing. */
export type Annotations = Readonly<Record<string, string>>;

export const annotationPrefix = 'argocd-image-updater.argoproj.io';
export const imageListAnnotation = `${annotationPrefix}/image-list`;

export interface SettingKeys {
  readonly allowTags: string;
  readonly ignoreTags: string;
  readonly forceUpdate: string;
  readonly updateStrategy: string;
  readonly pullSecret: string;
  /** Platforms are a matter of one image. */
  readonly platforms: string | undefined;
}

/** The annotations of one image, or of the whole Application where the alias is empty. */
export function settingKeys(alias: string): SettingKeys {
  const key = (name: string): string => `${annotationPrefix}/${alias === '' ? '' : `${alias}.`}${name}`;
  return {
    allowTags: key('allow-tags'),
    ignoreTags: key('ignore-tags'),
    forceUpdate: key('force-update'),
    updateStrategy: key('update-strategy'),
    pullSecret: key('pull-secret'),
    platforms: alias === '' ? undefined : key('platforms'),
  };
}

const said = (annotations: Annotations, key: string): string | undefined => annotations[key]?.trim() || undefined;
const fields = <T extends object>(value: { [K in keyof T]: T[K] | undefined }): T | undefined => {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
};

/** The settings at one level, without those that it inherits. */
export function settingsOf(annotations: Annotations, alias: string): ImageUpdateSettings | undefined {
  const keys = settingKeys(alias);
  const platforms = keys.platforms === undefined ? undefined : annotations[keys.platforms];
  const named = platforms?.split(',').flatMap((text) => text.trim() || []);
  return fields<ImageUpdateSettings>({
    updateStrategy: said(annotations, keys.updateStrategy),
    forceUpdate: readBoolean(annotations, keys.forceUpdate),
    allowTags: said(annotations, keys.allowTags),
    ignoreTags: annotations[keys.ignoreTags]?.split(',').map((text) => text.trim()),
    pullSecret: said(annotations, keys.pullSecret),
    platforms: named && named.length > 0 ? named : undefined,
  });
}

const booleans: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 't', 'T', 'true', 'True', 'TRUE'].map((text) => [text, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, false])),
};

function readBoolean(annotations: Annotations, key: string): boolean | undefined {
  const text = annotations[key]?.trim();
  if (text === undefined) return undefined;
  const value = Object.hasOwn(booleans, text) ? booleans[text] : undefined;
  if (value === undefined)
    throw new ImagesError('InvalidSettings', `${key} is ${JSON.stringify(text)}: write true or false`);
  return value;
}

/** Where an image stands in the manifests. */
export function manifestTargetOf(annotations: Annotations, alias: string): ManifestTargets | undefined {
  const of = (name: string): string | undefined => said(annotations, `${annotationPrefix}/${alias}.${name}`);
  const kustomizeName = of('kustomize.image-name');
  const helm = fields<NonNullable<ManifestTargets['helm']>>({
    name: of('helm.image-name'),
    tag: of('helm.image-tag'),
    spec: of('helm.image-spec'),
  });
  if (helm && kustomizeName !== undefined) {
    throw new ImagesError(
      'InvalidSettings',
      `${alias} has annotations for Helm and for Kustomize: one of them must go`,
    );
  }
  return fields<ManifestTargets>({
    helm,
    kustomize: kustomizeName === undefined ? undefined : { name: kustomizeName },
  });
}

/** The images of `image-list`. One that cannot be read fails them all: half a list is not what its author meant. */
export function imagesOf(annotations: Annotations): ImageConfig[] {
  const text = annotations[imageListAnnotation];
  const images = (text ?? '')
    .split(',')
    .flatMap((entry) => (entry.trim() === '' ? [] : imageOf(annotations, entry.trim())));
  if (images.length === 0) {
    throw new ImagesError('InvalidSettings', `${imageListAnnotation} is ${text === undefined ? 'not there' : 'empty'}`);
  }
  return images;
}

function imageOf(annotations: Annotations, entry: string): ImageConfig {
  const equals = /^[^=]*:[^/=]*[<>!~^]=/u.test(entry) ? -1 : entry.indexOf('=');
  const alias = equals < 0 ? '' : entry.slice(0, equals).trim();
  const imageName = entry.slice(equals + 1).trim();
  if (imageName === '') throw new ImagesError('InvalidSettings', `${imageListAnnotation}: ${entry} names no image`);
  // The name of an annotation has room for one slash only: those of an alias may be written as underscores.
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

/** Where new versions are to be written. */
export function writeBackOf(annotations: Annotations): WriteBackConfig | undefined {
  const of = (name: string): string | undefined => said(annotations, `${annotationPrefix}/${name}`);
  return fields<WriteBackConfig>({
    method: of('write-back-method'),
    gitConfig: fields<NonNullable<WriteBackConfig['gitConfig']>>({
      writeBackTarget: of('write-back-target'),
      branch: of('git-branch'),
      repository: of('git-repository'),
    }),
  });
}
