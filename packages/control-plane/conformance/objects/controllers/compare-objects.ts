import type { Json, JsonObject, KubeObject } from '@fairlead/apimachinery';
import { type Difference, describeDifference, difference } from '../placeholders.ts';

/** An object as recorded, possibly representing several equal ones. */
export type Expected = KubeObject & JsonObject & { count?: number };

/** The difference between recorded and actual objects, as multisets; undefined if there is none. */
export function compareAll(
  recorded: readonly Expected[],
  actual: readonly KubeObject[],
  hashes: readonly string[],
): string | undefined {
  const text = JSON.stringify(recorded).replace(/<hash-(\d+)>/g, (whole, n: string) => hashes[Number(n) - 1] ?? whole);
  const expected = (JSON.parse(text) as Expected[]).flatMap(({ count = 1, ...object }) =>
    Array.from({ length: count }, () => object as Expected),
  );
  const isEvent = ({ kind }: KubeObject) => kind === 'Event';
  return (
    compareEvents(expected.filter(isEvent), actual.filter(isEvent)) ??
    compareObjects(
      expected.filter((object) => !isEvent(object)),
      actual.filter((object) => !isEvent(object)),
    )
  );
}

function compareObjects(expected: readonly Expected[], actual: readonly KubeObject[]): string | undefined {
  const partner = pair(expected, actual, (a, b) => differenceOf(a, b) === undefined);
  const missing = expected.filter((_, index) => !partner.includes(index));
  const extra = actual.filter((_, index) => partner[index] === undefined);
  if (missing.length === 0 && extra.length === 0) return undefined;
  const lines = missing.map((object) => {
    const closest = extra
      .filter(({ kind }) => kind === object.kind)
      .map((candidate) => ({ candidate, found: differenceOf(object, candidate)! }))
      .sort((a, b) => order(a.found) - order(b.found))[0];
    const label = `missing ${object.kind} ${object.metadata.name}`;
    return closest
      ? `${label}: ${closest.candidate.metadata.name} differs ${describeDifference(closest.found)}`
      : label;
  });
  return [...lines, ...extra.map((object) => `too many: ${object.kind} ${object.metadata.name}`)].join('\n');
}

/** A candidate whose first difference is later is closer. */
const order = (found: Difference): number =>
  ['.metadata.name', '.metadata', '.spec'].findIndex((prefix) => found.at.startsWith(prefix)) + 1 || -1;

/** For each actual object the index of its expected one. Placeholders match several, so earlier choices may be changed. */
function pair<A, B>(
  expected: readonly A[],
  actual: readonly B[],
  fits: (a: A, b: B) => boolean,
): (number | undefined)[] {
  const partner = new Array<number | undefined>(actual.length).fill(undefined);
  const options = expected.map((a) => actual.flatMap((b, index) => (fits(a, b) ? [index] : [])));
  const place = (index: number, tried: Set<number>): boolean =>
    options[index]!.some((option) => {
      if (tried.has(option)) return false;
      tried.add(option);
      if (partner[option] !== undefined && !place(partner[option], tried)) return false;
      partner[option] = index;
      return true;
    });
  for (let index = 0; index < expected.length; index += 1) place(index, new Set());
  return partner;
}

const wholeMetadata = ['labels', 'annotations', 'ownerReferences', 'finalizers', 'deletionTimestamp'];
const conditionTimes = ['lastTransitionTime', 'lastProbeTime', 'lastUpdateTime', 'lastHeartbeatTime'];
const podConditions = ['PodScheduled', 'Ready', 'DisruptionTarget'];

function differenceOf(expected: Expected, object: KubeObject): Difference | undefined {
  const actual = comparable(object as KubeObject & JsonObject, expected);
  const { metadata, status, ...rest } = expected;
  const { metadata: actualMetadata, status: actualStatus, ...actualRest } = actual;
  const whole = (key: string): Difference | undefined =>
    difference(metadata[key as 'labels'], actualMetadata[key as 'labels'], `.metadata.${key}`);
  return (
    partial(metadata as unknown as Json, actualMetadata as unknown as Json, '.metadata') ??
    wholeMetadata.map(whole).find((found) => found !== undefined) ??
    partial(rest as JsonObject, actualRest as JsonObject, '') ??
    difference(sorted(status), actualStatus as Json, '.status')
  );
}

/** The actual object without fields that are never compared, its lists in the order of the recorded ones. */
function comparable(object: KubeObject & JsonObject, expected: Expected): KubeObject & JsonObject {
  const copy = JSON.parse(JSON.stringify(object)) as KubeObject & JsonObject;
  const { metadata } = copy;
  delete metadata.managedFields;
  for (const owner of metadata.ownerReferences ?? []) delete (owner as { uid?: string }).uid;
  dropTrigger(metadata.annotations);
  if (metadata.annotations && Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
  const status = copy['status'] as (JsonObject & { conditions?: JsonObject[] }) | undefined;
  if (copy.kind === 'ReplicaSet' && metadata.ownerReferences?.some(({ kind }) => kind === 'Deployment')) {
    delete metadata.generation;
    delete status?.['observedGeneration'];
  }
  if (status) copy['status'] = sorted(statusShown(copy.kind, status, expected));
  if (copy.kind === 'EndpointSlice' || copy.kind === 'Endpoints') sortEndpoints(copy);
  return copy;
}

function dropTrigger(annotations: Record<string, string> | undefined): void {
  for (const key of Object.keys(annotations ?? {}))
    if (key.endsWith('last-change-trigger-time')) delete annotations![key];
}

function statusShown(kind: string, status: JsonObject & { conditions?: JsonObject[] }, expected: Expected): JsonObject {
  const { conditions, ...rest } = status;
  const kept = (conditions ?? [])
    .filter((condition) => kind !== 'Pod' || podConditions.includes(String(condition['type'])))
    .map((condition) => Object.fromEntries(Object.entries(condition).filter(([key]) => !conditionTimes.includes(key))));
  const shown: JsonObject =
    kind === 'Node' ? {} : kind === 'Pod' ? pick(rest, ['phase', 'reason', 'message', 'qosClass']) : rest;
  const recorded = expected['status'] as JsonObject | undefined;
  if (kind === 'Pod' && recorded?.['qosClass'] === undefined) delete shown['qosClass'];
  return kept.length > 0 ? { ...shown, conditions: kept } : shown;
}

const pick = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));

function sorted<T extends Json | undefined>(status: T): T | JsonObject {
  const { conditions } = (status ?? {}) as { conditions?: JsonObject[] };
  return Array.isArray(conditions)
    ? { ...(status as JsonObject), conditions: conditions.toSorted(by('type')) }
    : status;
}

function sortEndpoints(object: JsonObject): void {
  const slice = object as { endpoints?: JsonObject[] | null; ports?: JsonObject[] | null; subsets?: JsonObject[] };
  for (const endpoint of slice.endpoints ?? []) delete (endpoint['targetRef'] as JsonObject | undefined)?.['uid'];
  slice.endpoints?.sort((a, b) => (String(a['addresses']) < String(b['addresses']) ? -1 : 1));
  slice.ports?.sort(by('name'));
  for (const subset of slice.subsets ?? []) {
    for (const key of ['addresses', 'notReadyAddresses']) {
      const addresses = (subset[key] ?? []) as JsonObject[];
      for (const address of addresses) delete (address['targetRef'] as JsonObject | undefined)?.['uid'];
      addresses.sort(by('ip'));
    }
  }
  slice.subsets?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const by =
  (key: string) =>
  (a: JsonObject, b: JsonObject): number =>
    String(a[key] ?? '') < String(b[key] ?? '') ? -1 : String(a[key] ?? '') > String(b[key] ?? '') ? 1 : 0;

/** Only recorded fields are compared; absent equals an empty list or map. */
function partial(expected: Json | undefined, actual: Json | undefined, at: string): Difference | undefined {
  if (isEmpty(expected) && isEmpty(actual)) return undefined;
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries()) {
      const found = partial(item, actual[index], `${at}[${index}]`);
      if (found) return found;
    }
    return undefined;
  }
  if (!isMap(expected) || !isMap(actual)) return difference(expected, actual, at);
  for (const [key, value] of Object.entries(expected)) {
    const found = partial(value, actual[key], `${at}.${key}`);
    if (found) return found;
  }
  return undefined;
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Events are a set: the same message about another pod is the same event. */
function compareEvents(expected: readonly Expected[], actual: readonly KubeObject[]): string | undefined {
  const events = actual as unknown as (JsonObject & { involvedObject: JsonObject; source?: JsonObject })[];
  const shown = events.map(({ involvedObject, type, reason, message, reportingComponent, source }) => ({
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: { kind: involvedObject['kind']! },
    type: type!,
    reason: reason!,
    message: message!,
    reportingComponent: reportingComponent || (source?.['component'] ?? ''),
  }));
  const fits = (event: Expected, other: JsonObject) => difference(event, other) === undefined;
  const missing = expected.filter((event) => !shown.some((other) => fits(event, other)));
  const extra = shown.filter((other) => !expected.some((event) => fits(event, other)));
  if (missing.length === 0 && extra.length === 0) return undefined;
  return [
    ...missing.map((event) => `missing event ${JSON.stringify(event)}`),
    ...extra.map((event) => `event too many ${JSON.stringify(event)}`),
  ].join('\n');
}
