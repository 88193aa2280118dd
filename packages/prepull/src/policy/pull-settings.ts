import type { PrePullImage } from '@fairlead/api';
import {
  type ImageReference,
  imageReferenceProblem,
  parseDuration,
  parseImageReference,
  validateLabelSelector,
} from '@fairlead/apimachinery';

/** The spec of a PrePullImage, parsed and validated. */
export interface PullSettings {
  readonly image: ImageReference;
  /** What the kubelet pulls, as written in the spec, with the digest if there is one. */
  readonly reference: string;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly timeoutMs: number;
  /** Undefined if a finished PrePullImage is kept. */
  readonly ttlMs: number | undefined;
  readonly priority: number;
}

/** An invalid field of a PrePullImage or a PrePullPolicy. The message begins with the field's path. */
export class InvalidFieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.name = 'InvalidFieldError';
    this.field = field;
  }
}

/** Throws an InvalidFieldError for the first invalid field. */
export function readSettings({ spec }: Pick<PrePullImage, 'spec'>): PullSettings {
  if (!spec?.image) throw new InvalidFieldError('spec.image', 'must name the image to pull');
  const { image, imageDigest, timeout = '10m', completedTTL = '1h', priority = 0 } = spec;
  const hasOwnDigest = image.includes('@');
  const reference = imageDigest && !hasOwnDigest ? `${image}@${imageDigest}` : image;
  checkImage('spec.image', image);
  checkImage('spec.imageDigest', reference);
  const { maxAttempts, backoffSeconds } = readRetry(spec.retry);
  const [problem] = validateLabelSelector(spec.nodes?.selector, 'spec.nodes.selector');
  if (problem) throw new InvalidFieldError(problem.field, problem.message);
  const ttlMs = durationField('spec.completedTTL', completedTTL, 0);
  return {
    image: parseImageReference(reference),
    reference,
    maxAttempts,
    backoffMs: backoffSeconds * 1000,
    timeoutMs: durationField('spec.timeout', timeout, 1000),
    ttlMs: ttlMs === 0 ? undefined : ttlMs,
    priority,
  };
}

export function readRetry(retry: { maxAttempts?: number; backoffSeconds?: number } = {}): {
  maxAttempts: number;
  backoffSeconds: number;
} {
  const { maxAttempts = 3, backoffSeconds = 30 } = retry;
  if (maxAttempts < 1) throw new InvalidFieldError('spec.retry.maxAttempts', `must be at least 1, not ${maxAttempts}`);
  if (backoffSeconds < 0)
    throw new InvalidFieldError('spec.retry.backoffSeconds', `must be at least 0, not ${backoffSeconds}`);
  return { maxAttempts, backoffSeconds };
}

/** The milliseconds of a duration field. */
export function durationField(field: string, text: string, minimumMs: number): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new InvalidFieldError(field, `${JSON.stringify(text)} is not a duration, such as 90s or 10m`);
  if (ms < minimumMs)
    throw new InvalidFieldError(field, `must be at least ${minimumMs / 1000}s, not ${JSON.stringify(text)}`);
  return ms;
}

function checkImage(field: string, reference: string): void {
  const problem = imageReferenceProblem(reference);
  if (problem === undefined) return;
  const quoted = JSON.stringify(reference.slice(0, 300));
  throw new InvalidFieldError(field, `${quoted} is not a valid image reference: ${problem}`);
}
