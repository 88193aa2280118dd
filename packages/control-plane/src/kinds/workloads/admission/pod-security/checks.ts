import type { PodSpec, TemplateMeta } from '../../pod-spec/types.ts';
import { baseline } from './baseline.ts';
import type { Standard } from './policy.ts';
import { restricted } from './restricted.ts';
import type { Check, Violation } from './words.ts';

const newest = 36;

/** The violations of the standard by a pod, baseline first, each part by name. */
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
