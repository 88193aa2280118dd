import type { PodSpec, TemplateMeta } from '../../pod-spec/types.ts';
import { baseline } from './baseline.ts';
import type { Standard } from './policy.ts';
import { restricted } from './restricted.ts';

export interface Violation {
  /** Short, for lists of pods. */
  readonly reason: string;
  readonly detail?: string;
}

/** The pod under judgement. `minor` is the version of the standard to judge by. */
export interface Judged {
  readonly spec: PodSpec;
  readonly metadata: TemplateMeta;
  readonly minor: number;
}

export interface Check {
  /** The first version of the standard that has it. */
  readonly since: number;
  /** A check of the baseline that this one makes superfluous. */
  readonly replaces?: string;
  run(pod: Judged): Violation | undefined;
}

const newest = 36;

/** What a pod does that the standard forbids, baseline first, each part by name. */
export function violations({ level, version }: Standard, spec: PodSpec, metadata: TemplateMeta): Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? newest : Math.min(version, newest);
  const inForce = (checks: Record<string, Check>) => Object.entries(checks).filter(([, check]) => check.since <= minor);
  const strict = level === 'restricted' ? inForce(restricted) : [];
  const replaced = new Set(strict.map(([, check]) => check.replaces));
  const checks = [...inForce(baseline).filter(([name]) => !replaced.has(name)), ...strict];
  return checks.flatMap(([, check]) => check.run({ spec, metadata, minor }) ?? []);
}

export const detailed = (found: readonly Violation[]): string =>
  found.map(({ reason, detail }) => (detail ? `${reason} (${detail})` : reason)).join(', ');

export const quoted = (names: Iterable<string>): string => [...names].map((name) => `"${name}"`).join(', ');

/** `container "a"`, `containers "a", "b"`. */
export const counted = (word: string, names: readonly string[]): string =>
  `${word}${names.length === 1 ? '' : 's'} ${quoted(names)}`;

export const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();

/** `pod and container "a"`: who set something that they may not. */
export const setters = (byPod: boolean, containers: readonly string[]): string =>
  [...(byPod ? ['pod'] : []), ...(containers.length > 0 ? [counted('container', containers)] : [])].join(' and ');
