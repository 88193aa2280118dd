import { isJsonObject, type Json, type JsonObject, listAt, textAt } from '@fairlead/apimachinery';
import type { RecordedCase } from './recorded-case.ts';

/**
 * Where the recording shows a defect of Argo CD that Fairlead does not have (see "ApplicationSets" in docs/differences.md). Each is
 * known by what was recorded, not by the name of a case.
 */
export interface RecordedDefect {
  /** Argo CD's reconcile panics: only that nothing is made can be compared. */
  readonly onlyApplications: boolean;
  /** Argo CD fails: here it works. */
  readonly noError: boolean;
  /** Puts the recording into the form that a correct controller gives, or leaves out what cannot be compared. */
  adjust(observation: JsonObject): JsonObject;
}

export function recordedDefect(recorded: RecordedCase, step: number): RecordedDefect {
  const expected = recorded.steps[step]?.expect ?? {};
  const message = listAt(expected, 'applicationset', 'status', 'conditions')
    .filter((condition) => textAt(condition, 'status') === 'True' && textAt(condition, 'type') === 'ErrorOccurred')
    .map((condition) => textAt(condition, 'message'))
    .join('\n');
  return {
    onlyApplications: recorded.panics ?? false,
    noError:
      /in type v1\.JSON/u.test(message) ||
      (/UpdateApplicationError/u.test(JSON.stringify(expected)) && bytes.test(message)),
    adjust: (observation) => withoutUnowned(asTexts(withoutIgnoredLists(observation, recorded)), recorded),
  };
}

/** Input parameters of plugins, which Argo CD prints as bytes of JSON. */
const bytes = /\{\[(\d+(?: \d+)*)\]\}/u;

function asTexts(observation: JsonObject): JsonObject {
  const visit = (value: Json): Json => {
    if (typeof value === 'string') return value.replaceAll(new RegExp(bytes, 'gu'), (_, list: string) => decoded(list));
    if (Array.isArray(value)) return value.map(visit);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]));
  };
  const result = visit(observation);
  return isJsonObject(result) ? result : {};
}

function decoded(list: string): string {
  const value: unknown = JSON.parse(Buffer.from(list.split(' ').map(Number)).toString('utf8'));
  return printed(value);
}

/** As templates print a value. */
function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(' ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${printed(item)}`).join(' ')}]`;
}

/** Without leave to update, Argo CD takes over an Application that somebody else made, and overwrites it once. */
function withoutUnowned(observation: JsonObject, recorded: RecordedCase): JsonObject {
  const policy =
    textAt(recorded.applicationset, 'spec', 'syncPolicy', 'applicationsSync') || recorded.controller?.['policy'];
  if (policy !== 'create-only' && policy !== 'create-delete') return observation;
  const existing = new Set(
    (recorded.existing ?? []).filter(({ metadata }) => !metadata.ownerReferences).map(({ metadata }) => metadata.name),
  );
  if (existing.size === 0) return observation;
  const without = (list: readonly Json[]): Json[] => list.filter((item) => !existing.has(textAt(item, 'name')));
  const set = observation['applicationset'];
  const status = isJsonObject(set) ? set['status'] : undefined;
  const kept = without(listAt(status, 'resources'));
  const { resourcesCount: _, resources: __, ...rest } = isJsonObject(status) ? status : {};
  return {
    ...observation,
    applications: without(listAt(observation, 'applications')),
    ...(isJsonObject(set)
      ? { applicationset: { ...set, status: { ...rest, ...(kept.length > 0 ? { resources: kept } : {}) } } }
      : {}),
  };
}

/** An ignored item of a list is lost in Argo CD when the rest of the list changes: such lists are not compared. */
function withoutIgnoredLists(observation: JsonObject, recorded: RecordedCase): JsonObject {
  const expressions = listAt(recorded.applicationset, 'spec', 'ignoreApplicationDifferences').flatMap((rule) => [
    ...listAt(rule, 'jqPathExpressions').map((text) => /^(\.[\w.]+)\[/u.exec(String(text))?.[1]?.split('.').slice(1)),
    ...listAt(rule, 'jsonPointers').map((text) => /^(.+)\/\d+(?:\/|$)/u.exec(String(text))?.[1]?.split('/').slice(1)),
  ]);
  const paths = expressions.filter((path) => path !== undefined);
  if (paths.length === 0) return observation;
  const applications = listAt(observation, 'applications').map((application) =>
    paths.reduce<Json>((value, path) => dropAt(value, path), application),
  );
  return { ...observation, applications };
}

function dropAt(value: Json, [step = '', ...rest]: readonly string[]): Json {
  if (!isJsonObject(value) || value[step] === undefined) return value;
  const { [step]: inner, ...others } = value;
  return rest.length === 0 || inner === undefined ? others : { ...others, [step]: dropAt(inner, rest) };
}
