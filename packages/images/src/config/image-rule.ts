import type { ImageConfig, ImagesVerification, ImageUpdateSettings, ManifestTargets } from '@fairlead/api';
import { ImagesError } from '../images-error.ts';
import { type ImageReference, parseImage } from '../reference/image-reference.ts';
import { parseStrategy, type StrategyName, strategyOf } from '../tags/strategy.ts';

/** One configured image of one Application, with all its settings parsed and validated. */
export interface ImageRule {
  readonly alias: string;
  /** The tag is the version constraint. */
  readonly image: ImageReference;
  /** The name in the manifests, if it differs. */
  readonly kustomizeImage: ImageReference | undefined;
  readonly strategy: StrategyName;
  readonly forceUpdate: boolean;
  readonly allowTags: string | undefined;
  readonly ignoreTags: readonly string[];
  readonly pullSecret: string | undefined;
  readonly platforms: readonly string[];
  readonly target: ImageTarget;
  readonly verification: VerificationRule | undefined;
}

export interface ImageTarget {
  readonly helm: { readonly name: string; readonly tag: string; readonly spec: string };
  readonly kustomize: string;
  readonly plugin: { readonly name: string; readonly tag: string; readonly spec: string };
}

/** The cosign key that an image must be signed with. */
export interface VerificationRule {
  readonly secretName: string;
  readonly key: string;
}

/** Later levels override earlier ones, field by field. */
export const mergeSettings = (...levels: readonly (ImageUpdateSettings | undefined)[]): ImageUpdateSettings =>
  merge(levels);

export const mergeVerification = (
  ...levels: readonly (ImagesVerification | undefined)[]
): ImagesVerification | undefined => (levels.every((level) => level === undefined) ? undefined : merge(levels));

function merge<T extends object>(levels: readonly (T | undefined)[]): Partial<T> {
  const merged: Partial<T> = {};
  for (const level of levels) {
    if (!level) continue;
    for (const key in level) if (level[key] !== undefined) merged[key] = level[key];
  }
  return merged;
}

export function imageRule(
  config: ImageConfig,
  inherited: {
    readonly settings?: ImageUpdateSettings | undefined;
    readonly verification?: ImagesVerification | undefined;
  } = {},
): ImageRule {
  const settings = mergeSettings(inherited.settings, config.commonUpdateSettings);
  const { alias, imageName } = config;
  const image = { ...parseImage(`${alias}=${imageName}`), original: imageName };
  if (image.name === '') throw new ImagesError('InvalidImage', `${JSON.stringify(imageName)} has no image name`);
  const target = targetOf(config.manifestTargets, alias || imageName);
  const strategy = parseStrategy(settings.updateStrategy ?? 'semver');
  if (strategyOf(strategy).constraint === 'tag' && !image.tag) {
    throw new ImagesError(
      'InvalidConstraint',
      `${imageName}: the ${strategy} strategy needs the tag to watch: write ${imageName}:TAG`,
    );
  }
  return {
    alias,
    image,
    kustomizeImage: target.kustomize === '' ? undefined : parseImage(target.kustomize),
    strategy,
    forceUpdate: settings.forceUpdate ?? false,
    allowTags: settings.allowTags,
    ignoreTags: settings.ignoreTags ?? [],
    pullSecret: settings.pullSecret,
    platforms: settings.platforms ?? [],
    target,
    verification: verificationOf(mergeVerification(inherited.verification, config.imagesVerification), imageName),
  };
}

function targetOf(targets: ManifestTargets | undefined, image: string): ImageTarget {
  const { helm, kustomize, plugin } = targets ?? {};
  if ([helm, kustomize, plugin].filter((target) => target !== undefined).length > 1) {
    throw new ImagesError(
      'InvalidSettings',
      `${image} has more than one manifest target: use one of helm, kustomize and plugin`,
    );
  }
  return {
    helm: names(helm),
    kustomize: kustomize?.name ?? '',
    plugin: names(plugin),
  };
}

/** `spec` holds name and tag in one value and excludes the others. */
const names = (target: { name?: string; tag?: string; spec?: string } | undefined): ImageTarget['helm'] =>
  target?.spec !== undefined
    ? { name: '', tag: '', spec: target.spec }
    : { name: target?.name ?? '', tag: target?.tag ?? '', spec: '' };

function verificationOf(setting: ImagesVerification | undefined, image: string): VerificationRule | undefined {
  if (!setting || setting.enabled === false) return undefined;
  if (!setting.cosignKey) {
    throw new ImagesError(
      'InvalidSettings',
      `${image} has image verification enabled without a key: set imagesVerification.cosignKey`,
    );
  }
  return setting.cosignKey;
}
