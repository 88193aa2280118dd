import type { Container, PodSpec, TemplateMeta } from '../../pod-spec/types.ts';
import { everyContainer } from '../../pod-spec/visit.ts';

export interface Violation {
  /** Short, for lists of pods. */
  readonly reason: string;
  readonly detail?: string;
}

/** The pod to check. `minor` is the version of the standard. */
export interface CheckedPod {
  readonly spec: PodSpec;
  readonly metadata: TemplateMeta;
  readonly minor: number;
}

export interface Check {
  /** The first version of the standard that has it. */
  readonly since: number;
  /** A baseline check that this one includes. */
  readonly replaces?: string;
  run(pod: CheckedPod): Violation | undefined;
}

export const quoted = (names: Iterable<string>): string => [...names].map((name) => `"${name}"`).join(', ');

/** `container "a"`, `containers "a", "b"`. */
export const counted = (word: string, names: readonly string[]): string =>
  `${word}${names.length === 1 ? '' : 's'} ${quoted(names)}`;

export const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();

/** `pod and container "a"`: where a forbidden value is set. */
export const setters = (byPod: boolean, containers: readonly string[]): string =>
  [...(byPod ? ['pod'] : []), ...(containers.length > 0 ? [counted('container', containers)] : [])].join(' and ');

export const namesWhere = (spec: PodSpec, test: (container: Container) => unknown): string[] =>
  [...everyContainer(spec)].filter(test).map((container) => container.name ?? '');
