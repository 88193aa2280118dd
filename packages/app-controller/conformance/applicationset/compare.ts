import { type ApiError, equalJson, isJsonObject, type Json, type JsonObject, textAt } from '@fairlead/apimachinery';
import type { RecordedDefect } from './differences.ts';
import type { Expectation } from './recorded-case.ts';

/** What differs between an observation and the recording, one line each. */
export function compareExpectation(
  expected: Expectation,
  actual: Expectation,
  rejected: ApiError | undefined,
  defect: RecordedDefect,
): string[] {
  if (expected.rejected) return compareRefusal(expected.rejected, rejected);
  if (defect.onlyApplications) {
    const names = (of: Expectation): Json => (of.applications ?? []).map(({ name }) => name ?? '');
    return equalJson(names(expected), names(actual))
      ? []
      : [difference('applications', names(expected), names(actual))];
  }
  if (defect.noError)
    return textAt(actual.applicationset, 'status', 'health', 'status') === 'Degraded' ? ['an error was reported'] : [];
  const differences: string[] = [];
  const [recorded, found] = [defect.adjust(toObject(expected)), defect.adjust(toObject(actual))];
  walk('', recorded, found, differences);
  return differences;
}

const toObject = ({ rejected: _, ...rest }: Expectation): JsonObject => JSON.parse(JSON.stringify(rest)) as JsonObject;

function compareRefusal(expected: NonNullable<Expectation['rejected']>, actual: ApiError | undefined): string[] {
  if (!actual) return [`the API server accepts what should be refused: ${expected.message}`];
  const field = /is invalid: ([^:]+):/u.exec(expected.message)?.[1] ?? '';
  if (actual.code === expected.code && actual.message.includes(field)) return [];
  return [difference('rejected', expected.message, actual.message)];
}

/** Lists whose items are known by a name, in any order. */
const keyed: ReadonlyMap<string, string> = new Map([
  ['applications', 'name'],
  ['otherApplicationsets', 'name'],
  ['conditions', 'type'],
  ['applicationStatus', 'application'],
  ['resources', 'name'],
]);

function walk(path: string, expected: Json | undefined, actual: Json | undefined, into: string[]): void {
  if (equalJson(expected, actual)) return;
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      // A rollout that is over need not ask for a sync once more.
      if (key === 'operation' && actual[key] === undefined && isOfRollout(expected[key])) continue;
      walk(path === '' ? key : `${path}.${key}`, expected[key], actual[key], into);
    }
    return;
  }
  const key = keyed.get(path.split('.').at(-1) ?? '');
  if (key && Array.isArray(expected) && Array.isArray(actual)) {
    const [left, right] = [byKey(expected, key), byKey(actual, key)];
    for (const name of new Set([...left.keys(), ...right.keys()]))
      walk(`${path}[${name}]`, left.get(name), right.get(name), into);
    return;
  }
  if (path.endsWith('message') && isSameMessage(expected, actual)) return;
  into.push(difference(path, expected, actual));
}

const byKey = (list: readonly Json[], key: string): Map<string, Json> =>
  new Map(list.map((item) => [textAt(item, key), item]));

const isOfRollout = (operation: Json | undefined): boolean =>
  textAt(operation, 'initiatedBy', 'username') === 'applicationset-controller';

/** Where the message of a library begins that is not used here. */
const quoted =
  /yaml: |json: |template: base|error parsing regexp|invalid character|rpc error|strconv\.|dial tcp|connect:/u;

function isSameMessage(expected: Json | undefined, actual: Json | undefined): boolean {
  if (typeof expected !== 'string' || typeof actual !== 'string') return false;
  const at = expected.search(quoted);
  return at >= 0 && actual.startsWith(expected.slice(0, at));
}

const difference = (path: string, expected: Json | undefined, actual: Json | undefined): string =>
  `${path}\n  expected ${show(expected)}\n  actual   ${show(actual)}`;

const show = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 700);
