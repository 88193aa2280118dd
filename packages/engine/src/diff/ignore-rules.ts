import type { KubeObject } from '@fairlead/apimachinery';
import { globMatcher } from '@fairlead/render';
import { knownAnnotations } from '../annotations.ts';
import { resourceIdOf } from '../resource-id.ts';

/** Fields to ignore, for the selected objects. */
export interface IgnoreRule {
  /** Globs. */
  readonly group?: string | undefined;
  readonly kind: string;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly jsonPointers?: readonly string[] | undefined;
  readonly jqPathExpressions?: readonly string[] | undefined;
  readonly managedFieldsManagers?: readonly string[] | undefined;
}

/** The fields to ignore in one object. */
export interface Ignored {
  readonly pointers: readonly string[];
  readonly expressions: readonly string[];
  readonly managers: readonly string[];
}

export const nothingIgnored: Ignored = { pointers: [], expressions: [], managers: [] };

/** The fields to ignore according to the rules and the annotations of the object. */
export function ignoredOf(rules: readonly IgnoreRule[], object: KubeObject): Ignored {
  const id = resourceIdOf(object);
  const same = (pattern: string | undefined, text: string): boolean => !pattern || pattern === text;
  const matching = rules.filter(
    (rule) =>
      matches(rule.group ?? '', id.group) &&
      matches(rule.kind, id.kind) &&
      same(rule.name, id.name) &&
      same(rule.namespace, id.namespace),
  );
  const own = ownLines(object);
  if (matching.length === 0 && own.length === 0) return nothingIgnored;
  return {
    pointers: [...matching.flatMap((rule) => rule.jsonPointers ?? []), ...own.filter(isPointer)],
    expressions: [
      ...matching.flatMap((rule) => rule.jqPathExpressions ?? []),
      ...own.filter((line) => !isPointer(line)),
    ],
    managers: matching.flatMap((rule) => rule.managedFieldsManagers ?? []),
  };
}

/** One thing that a rule ignores, and how it is called. */
export interface NamedIgnored extends Ignored {
  readonly rule: string;
}

/** As `ignoredOf`, one by one: to tell which rule ignores a field. `origin` says where the rules are. */
export function ignoredByRule(rules: readonly IgnoreRule[], object: KubeObject, origin: string): NamedIgnored[] {
  const { pointers, expressions, managers } = ignoredOf(rules, { ...object, metadata: withoutOwnRules(object) });
  return [
    ...pointers.map((one) => ({ ...nothingIgnored, pointers: [one], rule: `${origin}: ${one}` })),
    ...expressions.map((one) => ({ ...nothingIgnored, expressions: [one], rule: `${origin}: ${one}` })),
    ...managers.map((one) => ({ ...nothingIgnored, managers: [one], rule: `${origin}: fields of manager ${one}` })),
  ];
}

/** What the annotation of an object ignores, one by one. */
export const ignoredByObject = (object: KubeObject): NamedIgnored[] =>
  ownLines(object).map((line) => ({
    ...nothingIgnored,
    ...(isPointer(line) ? { pointers: [line] } : { expressions: [line] }),
    rule: `annotation ${knownAnnotations.ignoreDifferences.name}: ${line}`,
  }));

function withoutOwnRules({ metadata }: KubeObject): KubeObject['metadata'] {
  const { [knownAnnotations.ignoreDifferences.name]: _, ...annotations } = metadata.annotations ?? {};
  return { ...metadata, annotations };
}

const isPointer = (line: string): boolean => line.startsWith('/');

const ownLines = ({ metadata: { annotations } }: KubeObject): string[] =>
  (annotations?.[knownAnnotations.ignoreDifferences.name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** There are few patterns, and they are matched with many objects. */
const matchers = new Map<string, (text: string) => boolean>();

function matches(pattern: string, text: string): boolean {
  if (pattern === text || pattern === '*') return true;
  if (!/[*?[{\\]/u.test(pattern)) return false;
  let matcher = matchers.get(pattern);
  if (!matcher) {
    if (matchers.size > 1_000) matchers.clear();
    matcher = globMatcher(pattern);
    matchers.set(pattern, matcher);
  }
  return matcher(text);
}
