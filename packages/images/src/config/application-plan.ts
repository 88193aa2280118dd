import type {
  Application,
  ApplicationRef,
  ImageConfig,
  ImagesVerification,
  ImageUpdater,
  ImageUpdateSettings,
} from '@fairlead/api';
import { ImagesError } from '../images-error.ts';
import { applicationTypeOf, sourceOf } from '../write-back/application-source.ts';
import { imageListAnnotation, imagesOf, settingsOf, writeBackOf } from './annotations.ts';
import { nameMatches, orderRefs, selectsLabels } from './application-refs.ts';
import { type ImageRule, imageRule, mergeSettings, mergeVerification } from './image-rule.ts';
import { mergeWriteBack, resolveWriteBack, type WriteBack } from './write-back.ts';

/** The image rules of one Application, and the problems in its configuration. */
export interface ApplicationPlan {
  readonly application: Application;
  readonly rules: readonly ImageRule[];
  readonly writeBack: WriteBack;
  /** Images with invalid configuration; the others are updated. */
  readonly problems: readonly PlanProblem[];
}

export interface PlanProblem {
  readonly image: string;
  readonly error: ImagesError;
}

type UpdaterSpec = NonNullable<ImageUpdater['spec']>;

/** The rule of a resource that an Application falls under: the most specific one that matches. */
export function refFor(application: Application, refs: readonly ApplicationRef[]): ApplicationRef | undefined {
  const { name, labels = {} } = application.metadata;
  return orderRefs(refs).find((ref) => nameMatches(name, ref.namePattern) && selectsLabels(labels, ref.labelSelectors));
}

/** Throws `ImagesError` if the configuration as a whole is invalid. Undefined if nothing is configured. */
export function planFor(
  application: Application,
  spec: UpdaterSpec,
  controllerNamespace: string,
): ApplicationPlan | undefined {
  const ref = refFor(application, spec.applicationRefs);
  if (!ref) return undefined;
  if (ref.useAnnotations) return planFromAnnotations(application, controllerNamespace, ref.imagesVerification);
  return plan(application, controllerNamespace, {
    images: ref.images ?? [],
    settings: mergeSettings(spec.commonUpdateSettings, ref.commonUpdateSettings),
    verification: mergeVerification(spec.imagesVerification, ref.imagesVerification),
    writeBack: mergeWriteBack(spec.writeBackConfig, ref.writeBackConfig),
  });
}

export const isAnnotated = ({ metadata }: Application): boolean =>
  metadata.annotations?.[imageListAnnotation] !== undefined;

export function planFromAnnotations(
  application: Application,
  controllerNamespace: string,
  verification?: ImagesVerification,
): ApplicationPlan | undefined {
  const annotations = application.metadata.annotations ?? {};
  return plan(application, controllerNamespace, {
    images: imagesOf(annotations),
    settings: settingsOf(annotations, '') ?? {},
    verification,
    writeBack: writeBackOf(annotations),
  });
}

interface Asked {
  readonly images: readonly ImageConfig[];
  readonly settings: ImageUpdateSettings;
  readonly verification: ImagesVerification | undefined;
  readonly writeBack: Parameters<typeof resolveWriteBack>[0];
}

function plan(application: Application, controllerNamespace: string, asked: Asked): ApplicationPlan {
  const { name, namespace = '' } = application.metadata;
  const source = sourceOf(application, undefined)?.source;
  if (!source) throw new ImagesError('NotSupported', `${name} has no source`);
  const place = { name, namespace, repoURL: source.repoURL, path: source.path ?? '' };
  const writeBack = resolveWriteBack(asked.writeBack, place, controllerNamespace);
  if (applicationTypeOf(application, writeBack) === 'Unsupported') {
    throw new ImagesError(
      'NotSupported',
      `${name} is of type ${application.status?.sourceType ?? 'unknown (not reconciled yet)'}: only Helm, Kustomize and plugins have images that can be set`,
    );
  }
  const rules: ImageRule[] = [];
  const problems: PlanProblem[] = [];
  for (const config of asked.images) {
    try {
      rules.push(imageRule(config, { settings: asked.settings, verification: asked.verification }));
    } catch (error) {
      if (!(error instanceof ImagesError)) throw error;
      problems.push({ image: config.alias || config.imageName, error });
    }
  }
  return { application, rules, writeBack: withPlace(writeBack, application), problems };
}

/** A target in another source than the first is in the repository of that source. */
function withPlace(writeBack: WriteBack, application: Application): WriteBack {
  const first = sourceOf(application, undefined)?.source.repoURL;
  const own = sourceOf(application, writeBack)?.source.repoURL;
  return writeBack.method === 'git' && own !== undefined && writeBack.repository === first
    ? { ...writeBack, repository: own }
    : writeBack;
}
