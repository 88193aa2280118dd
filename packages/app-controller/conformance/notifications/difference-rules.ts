import { isObject, type Json, type JsonObject, listAt, textAt } from '@fairlead/apimachinery';
import { countedDeliveries } from './delivery-texts.ts';

export interface Step {
  readonly deliveries: ReadonlyMap<string, number>;
  readonly notified: Json;
}

/** Changes the expectation where this product does better on purpose. `docs/differences.md` describes each. */
type Rule = (one: JsonObject, index: number, expected: Step, actual: Step) => Step;

const stepAt = (one: JsonObject, index: number): JsonObject | undefined =>
  listAt(one, 'expected').filter(isObject)[index];
const logOf = (one: JsonObject, index: number): string => listAt(stepAt(one, index), 'log').join('\n');
const logsUntil = (one: JsonObject, index: number): string =>
  Array.from({ length: index + 1 }, (_, i) => logOf(one, i)).join('\n');

/** One part of the configuration that is invalid silences everybody in the original; here it silences what uses it. */
const onlyTheInvalidPartIsSilent: Rule = (one, index, expected, actual) =>
  logsUntil(one, index).includes('Failed to get api') ? actual : expected;

/** What failed beside something that worked is tried a second time at once in the original, here after its backoff. */
const ownWritesDoNotRetry: Rule = (one, index, expected, actual) => {
  const before = stringsIn(stepAt(one, index - 1)?.notified);
  const isMarked = stringsIn(expected.notified).some((key) => !before.includes(key));
  if (!isMarked || !logOf(one, index).includes('Failed to notify')) return expected;
  const deliveries = [...expected.deliveries].map(([text, times]): [string, number] => {
    const seen = actual.deliveries.get(text) ?? 0;
    return [text, times > 1 && seen >= times / 2 && seen < times ? seen : times];
  });
  return { ...expected, deliveries: new Map(deliveries) };
};

/**
 * A failed delivery under `oncePer` keeps its mark in the original and is never tried again. Here it is: what comes again must be a delivery
 * that the recording has in this step or before, and marks may be missing as long as their delivery fails.
 */
const failuresAreRetried: Rule = (one, index, expected, actual) => {
  const isOncePer = /oncePer|catalog/u.test(JSON.stringify([one.cm, one.base ?? '', ...listAt(one, 'steps')]));
  if (!isOncePer || !logsUntil(one, index).includes('Failed to notify')) return expected;
  const recorded = Array.from({ length: index + 1 }, (_, i) =>
    listAt(stepAt(one, i), 'deliveries').filter(isObject),
  ).flat();
  const known = new Set([...countedDeliveries(recorded).keys()].map(withoutAnswer));
  const areRetries = [...actual.deliveries.keys()].every((text) => known.has(withoutAnswer(text)));
  const areMade = [...expected.deliveries.keys()].every((text) => actual.deliveries.has(text));
  const marks = stringsIn(expected.notified);
  const areMarked = stringsIn(actual.notified).every((key) => marks.includes(key));
  return {
    deliveries: areRetries && areMade ? actual.deliveries : expected.deliveries,
    notified: areMarked ? actual.notified : expected.notified,
  };
};

const withoutAnswer = (text: string): string => text.replace(/"answered":(?:"closed"|\d+),/u, '');

/** HTTP errors of teams, googlechat and newrelic count as delivered in the original. */
const httpErrorsAreFailures: Rule = (one, _, expected, actual) => {
  const isError = (text: string): boolean => /"answered":[45]\d\d/u.test(text);
  const ignoresStatus = /service\.(?:teams|googlechat|newrelic)/u.test(Object.keys(objectOf(one.cm)).join());
  return ignoresStatus && [...actual.deliveries.keys()].some(isError)
    ? { ...expected, notified: actual.notified }
    : expected;
};

/** Labels and annotations of an alert keep their first rendering in the original. */
const alertsAreAlwaysRendered: Rule = (one, _, expected, actual) =>
  /first rendering/u.test(textAt(one, 'note')) ? { ...expected, deliveries: actual.deliveries } : expected;

/** A subject is one line: the original sends the line end. */
const subjectsAreOneLine: Rule = (_, __, expected) => ({
  ...expected,
  deliveries: new Map(
    [...expected.deliveries].map(([text, times]) => [
      text.replace(/"subject":"(?:[^"\\]|\\.)*"/u, (subject) => subject.replaceAll('\\n', ' ')),
      times,
    ]),
  ),
});

const rules: readonly Rule[] = [
  onlyTheInvalidPartIsSilent,
  ownWritesDoNotRetry,
  failuresAreRetried,
  httpErrorsAreFailures,
  alertsAreAlwaysRendered,
  subjectsAreOneLine,
];

export const withDifferenceRules = (one: JsonObject, index: number, expected: Step, actual: Step): Step =>
  rules.reduce((step, rule) => rule(one, index, step, actual), expected);

const stringsIn = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);
const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
