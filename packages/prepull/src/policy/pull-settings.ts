import type { PrePullImage } from '@fairlead/api';
import { parseDuration } from '@fairlead/apimachinery';
import { type ImageName, parseImageName, referenceOf } from '../image-name.ts';
import { type LabelSelector, matches } from './label-selector.ts';

/** What a PrePullImage asks for, read once and found good. */
export interface PullSettings {
  readonly name: ImageName;
  /** What the kubelet is told to pull. */
  readonly reference: string;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly timeoutMs: number;
  /** Undefined: a finished PrePullImage is kept. */
  readonly ttlMs: number | undefined;
  readonly priority: number;
}

/** A field that cannot be acted on, and what to do about it. */
export class SettingsProblem extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.field = field;
  }
}

/** Throws a `SettingsProblem` on the first field that makes no sense. */
export function readSettings({ spec }: PrePullImage): PullSettings {
  if (!spec?.image) throw new SettingsProblem('spec.image', 'name the image to pull');
  const { image, imageDigest, retry = {}, timeout = '10m', completedTTL = '1h', priority = 0, nodes } = spec;
  const reference = referenceOf(image, imageDigest);
  const name = named(imageDigest && !image.includes('@') ? 'spec.imageDigest' : 'spec.image', reference, image);
  const { maxAttempts = 3, backoffSeconds = 30 } = retry;
  if (maxAttempts < 1) throw new SettingsProblem('spec.retry.maxAttempts', `must be 1 or more, not ${maxAttempts}`);
  if (backoffSeconds < 0)
    throw new SettingsProblem('spec.retry.backoffSeconds', `must be 0 or more, not ${backoffSeconds}`);
  checkSelector('spec.nodes.selector', nodes?.selector);
  const ttlMs = duration('spec.completedTTL', completedTTL, 0);
  return {
    name,
    reference,
    maxAttempts,
    backoffMs: backoffSeconds * 1000,
    timeoutMs: duration('spec.timeout', timeout, 1000),
    ttlMs: ttlMs === 0 ? undefined : ttlMs,
    priority,
  };
}

function named(digestField: string, reference: string, image: string): ImageName {
  try {
    parseImageName(image);
  } catch (error) {
    throw new SettingsProblem('spec.image', (error as Error).message);
  }
  try {
    return parseImageName(reference);
  } catch (error) {
    throw new SettingsProblem(digestField, (error as Error).message);
  }
}

/** Milliseconds of a field that holds a duration of at least so much. */
export function duration(field: string, text: string, atLeastMs: number): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new SettingsProblem(field, `${JSON.stringify(text)} is not a duration, such as 90s or 10m`);
  if (ms < atLeastMs)
    throw new SettingsProblem(field, `must be ${atLeastMs / 1000}s or more, not ${JSON.stringify(text)}`);
  return ms;
}

export function checkSelector(field: string, selector: LabelSelector | undefined): void {
  try {
    matches(selector ?? {}, {});
  } catch (error) {
    throw new SettingsProblem(field, (error as Error).message);
  }
}
