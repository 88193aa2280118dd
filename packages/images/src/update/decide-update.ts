import type { Application } from '@fairlead/api';
import type { ApplicationPlan } from '../config/application-plan.ts';
import type { ImageRule } from '../config/image-rule.ts';
import { ImagesError } from '../images-error.ts';
import { findForDigest } from '../reference/find-image.ts';
import {
  differs,
  fullNameWithTag,
  type ImageReference,
  versionText,
  withVersion,
} from '../reference/image-reference.ts';
import type { OpenedImage } from '../registry/image-registries.ts';
import type { Selection } from '../tags/select-tag.ts';
import { strategyOf } from '../tags/strategy.ts';
import type { Tag } from '../tags/tag.ts';
import { imageInSpec, setImage } from '../write-back/set-image.ts';
import type { ImageChange } from '../write-back/templates.ts';
import { liveImageOf, liveImages } from './live-images.ts';

/** The result of checking one Application, before anything is written. */
export interface UpdateDecision {
  readonly considered: number;
  readonly skipped: number;
  readonly changes: readonly (ImageChange & { readonly alias: string })[];
  /** The Application with all changes in its parameters. */
  readonly application: Application;
  readonly problems: readonly ImageProblem[];
  /** One line per image with the reason of its state. */
  readonly notes: readonly { readonly image: string; readonly note: string }[];
}

export interface ImageProblem {
  readonly image: string;
  readonly error: ImagesError;
}

export interface UpdateQueries {
  select(rule: ImageRule, namespace: string): Promise<{ selection: Selection; image: OpenedImage }>;
  /** The verified digest of an image; throws if there is no valid signature. */
  verify(rule: ImageRule, image: OpenedImage, tag: Tag, namespace: string): Promise<string>;
}

/** Finds newer images of one Application. Nothing is written; the failure of one image does not affect others. */
export async function decideUpdate(plan: ApplicationPlan, queries: UpdateQueries): Promise<UpdateDecision> {
  const live = liveImages(plan.application, plan.rules);
  const found = await Promise.all(
    plan.rules.map(async (rule) => ({ rule, result: await decideImage(plan, rule, live, queries) })),
  );
  let { application } = plan;
  const problems: ImageProblem[] = [...plan.problems];
  const changes: (ImageChange & { alias: string })[] = [];
  const notes: { image: string; note: string }[] = [];
  let considered = 0;
  let skipped = 0;
  for (const { rule, result } of found) {
    const name = rule.alias || rule.image.original;
    if (result.kind !== 'not-live') considered++;
    if (result.kind === 'not-live' || result.kind === 'nothing') skipped++;
    if ('note' in result) notes.push({ image: name, note: result.note });
    try {
      if (result.kind === 'error') throw result.error;
      if (result.kind === 'change') {
        application = setImage(application, result.image, plan.writeBack, rule);
        changes.push({
          alias: rule.alias,
          image: result.image,
          old: result.old,
          new: result.image,
          labels: result.labels,
        });
      } else if (result.kind === 'current') application = setImage(application, result.image, plan.writeBack, rule);
    } catch (error) {
      problems.push({ image: name, error: asImagesError(error) });
    }
  }
  return { considered, skipped, changes, application, problems, notes };
}

type Found =
  | { readonly kind: 'not-live'; readonly note: string }
  | { readonly kind: 'nothing'; readonly note: string }
  | { readonly kind: 'error'; readonly error: ImagesError }
  /** Also set if it is up to date: a written file contains every image. */
  | { readonly kind: 'current'; readonly image: ImageReference; readonly note: string }
  | { readonly kind: 'held'; readonly note: string }
  | {
      readonly kind: 'change';
      readonly image: ImageReference;
      readonly old: ImageReference;
      readonly labels: Readonly<Record<string, string>> | undefined;
      readonly note: string;
    };

async function decideImage(
  plan: ApplicationPlan,
  rule: ImageRule,
  live: readonly ImageReference[],
  queries: UpdateQueries,
): Promise<Found> {
  const running = liveImageOf(live, rule);
  if (!running) return { kind: 'not-live', note: 'does not run in this application' };
  const namespace = plan.application.metadata.namespace ?? '';
  try {
    const { selection, image } = await queries.select(rule, namespace);
    if (!selection.chosen) return { kind: 'nothing', note: selection.reason };
    const latest = selection.chosen;
    const current =
      strategyOf(rule.strategy).reads === 'digest'
        ? (findForDigest(live, rule.image, latest.digest ?? '') ?? running)
        : running;
    return await compareVersions(plan, rule, current, latest, () => queries.verify(rule, image, latest, namespace));
  } catch (error) {
    return { kind: 'error', error: asImagesError(error) };
  }
}

async function compareVersions(
  plan: ApplicationPlan,
  rule: ImageRule,
  current: ImageReference,
  latest: Tag,
  verify: () => Promise<string>,
): Promise<Found> {
  const renamed = rule.kustomizeImage !== undefined && differs(rule.image, current, false);
  if (isSame(rule, current, latest) && !renamed && !rule.verification) return upToDate(rule, current);
  const newer = isOlder(rule, latest, current);
  if (newer && !renamed)
    return { kind: 'held', note: `${current.tag} runs, which is newer than ${latest.name}: it is kept` };
  const pinned = rule.verification ? await verify() : latest.digest;
  if (rule.verification && isSame(rule, current, latest) && current.digest === pinned && !renamed)
    return upToDate(rule, current);
  const image = withVersion(rule.image, { tag: latest.name, digest: pinned });
  const text = fullNameWithTag(image);
  if (imageInSpec(plan.application, plan.writeBack, rule) === text)
    return { kind: 'held', note: `${text} is set, and not live yet` };
  return {
    kind: 'change',
    image,
    old: current,
    labels: latest.labels,
    note: `${versionText(current) || 'nothing'} → ${versionText(image)}`,
  };
}

/** With the configured tag if only its digest is running. */
function upToDate(rule: ImageRule, current: ImageReference): Found {
  const tag = current.tag ?? (strategyOf(rule.strategy).constraint === 'tag' ? rule.image.tag : undefined);
  return {
    kind: 'current',
    image: withVersion(rule.image, { tag, digest: current.digest }),
    note: `${versionText(current)} is the newest that the rule allows`,
  };
}

function isSame({ strategy }: ImageRule, current: ImageReference, latest: Tag): boolean {
  if (strategyOf(strategy).reads === 'digest') return current.digest !== undefined && current.digest === latest.digest;
  return current.tag === latest.name;
}

const isOlder = ({ strategy }: ImageRule, latest: Tag, { tag }: ImageReference): boolean =>
  tag !== undefined && tag !== '' && strategyOf(strategy).isOlder?.(latest, { name: tag }) === true;

export function asImagesError(error: unknown): ImagesError {
  if (error instanceof ImagesError) return error;
  return new ImagesError('RegistryUnavailable', error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
