import type { KubeObject } from '@fairlead/apimachinery';
import { knownAnnotations, syncOptionProblem } from '@fairlead/engine';

const words = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

type Check = (value: string) => readonly string[];

const oneOf =
  (what: string, values: readonly string[], nameOf = (word: string): string => word): Check =>
  (value) =>
    words(value)
      .filter((word) => !values.includes(nameOf(word)))
      .map((word) => `'${word}' is not a ${what}: use one of ${values.join(', ')}`);

const { hook, hookDeletePolicy, syncWave, syncOptions, compareOptions } = knownAnnotations;

/** The annotations whose values are checked, each with its problems: what is wrong and what to write instead. */
const checks = new Map<string, Check>([
  [hook.name, oneOf('hook type', hook.values)],
  [hookDeletePolicy.name, oneOf('hook delete policy', hookDeletePolicy.values)],
  [
    syncWave.name,
    (value) =>
      /^[+-]?\d+$/u.test(value) ? [] : [`'${value}' is not an integer, so wave 0 applies: write "5" or "-1"`],
  ],
  [syncOptions.name, (value) => words(value).flatMap((word) => syncOptionProblem(word) ?? [])],
  [compareOptions.name, oneOf('compare option', compareOptions.values, (word) => word.split('=')[0] ?? '')],
]);

const none: readonly string[] = [];
/** Manifests are shared and never change. */
const known = new WeakMap<KubeObject, readonly string[]>();

/** Invalid values of Argo CD annotations on a manifest, each with the name of the annotation. */
export function annotationProblems(manifest: KubeObject): readonly string[] {
  const { annotations } = manifest.metadata;
  if (!annotations) return none;
  const found = known.get(manifest) ?? problemsOf(annotations);
  known.set(manifest, found);
  return found;
}

const problemsOf = (annotations: Readonly<Record<string, string>>): string[] =>
  Object.entries(annotations).flatMap(([name, value]) =>
    (checks.get(name)?.(value) ?? none).map((problem) => `metadata.annotations['${name}']: ${problem}`),
  );
