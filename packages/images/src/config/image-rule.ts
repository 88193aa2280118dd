import type { ImageConfig, ImagesVerification, ImageUpdateSettings, ManifestTargets } from '@fairlead/api';
import { ImagesError } from '../images-error.ts';
import { type ImageReference, parseImage } from '../reference/image-reference.ts';
import { parseStrategy, type Strategy } from '../tags/strategy.ts';

/** One image of one Application with everything that counts for it, read and checked. */
export interface ImageRule {
  readonly alias: string;
  /** Its tag is the constraint. */
  readonly image: ImageReference;
  /** The name by which the manifests know it, where that is another. */
  readonly kustomizeImage: ImageReference | undefined;
  readonly strategy: Strategy;
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

/** Which key an image must be signed with; none is an error where verification is on. */
export interface VerificationRule {
  readonly secretName: string;
  readonly key: string;
}

/** Later settings win, each field by itself. */
export function mergeSettings(...levels: readonly (ImageUpdateSettings | undefined)[]): ImageUpdateSettings {
  return Object.assign({}, ...levels.map((level) => withoutUndefined(level ?? {}))) as ImageUpdateSettings;
}

export function mergeVerification(
  ...levels: readonly (ImagesVerification | undefined)[]
): ImagesVerification | undefined {
  if (levels.every((level) => level === undefined)) return undefined;
  return Object.assign({}, ...levels.map((level) => withoutUndefined(level ?? {}))) as ImagesVerification;
}

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));

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
  if (image.name === '') throw new ImagesError('InvalidImage', `${JSON.stringify(imageName)} names no image`);
  const target = targetOf(config.manifestTargets, alias || imageName);
  const strategy = parseStrategy(settings.updateStrategy ?? 'semver');
  if (strategy === 'digest' && !image.tag) {
    throw new ImagesError(
      'InvalidConstraint',
      `${imageName}: the digest strategy needs the tag to watch: write ${imageName}:TAG`,
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
    throw new ImagesError('InvalidSettings', `${image} has more than one of helm, kustomize and plugin as its target`);
  }
  return {
    helm: names(helm),
    kustomize: kustomize?.name ?? '',
    plugin: names(plugin),
  };
}

/** The whole in one value leaves no place for the parts. */
const names = (target: { name?: string; tag?: string; spec?: string } | undefined): ImageTarget['helm'] =>
  target?.spec !== undefined
    ? { name: '', tag: '', spec: target.spec }
    : { name: target?.name ?? '', tag: target?.tag ?? '', spec: '' };

function verificationOf(setting: ImagesVerification | undefined, image: string): VerificationRule | undefined {
  if (!setting || setting.enabled === false) return undefined;
  if (!setting.cosignKey) {
    throw new ImagesError(
      'InvalidSettings',
      `${image} is to be verified, and no key is given: set imagesVerification.cosignKey`,
    );
  }
  return setting.cosignKey;
}
