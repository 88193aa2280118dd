import { isJsonObject, type Json, type JsonObject, listAt, objectAt, stringsAt, textAt } from '@fairlead/apimachinery';
import { conditionTypesWhere } from '../../src/status/conditions.ts';

/**
 * Where Fairlead differs from Argo CD on purpose: each rule changes what was recorded into what Fairlead is expected to report.
 * `docs/differences.md` has the reason for each.
 */
export type DifferenceRule = (recorded: JsonObject, observed: JsonObject, stuck: ReadonlySet<string>) => JsonObject;

/** A source that cannot be compared does not determine the health of its objects. Deployed objects keep their health. */
const unknownHealthWithoutComparison: DifferenceRule = (recorded) =>
  textAt(recorded, 'sync', 'status') === 'Unknown' &&
  textAt(recorded, 'health', 'status') === 'Healthy' &&
  listAt(recorded, 'resources').length === 0
    ? { ...recorded, health: { ...objectAt(recorded, 'health'), status: 'Unknown' } }
    : recorded;

const ownTypes = conditionTypesWhere(({ argocd }) => !argocd);
const ownPrefix = 'fairlead.dev/';

/** Conditions and annotations that Argo CD does not have: they report or preserve what Argo CD loses. */
const ownAdditions: DifferenceRule = (recorded, observed) => {
  const own = listAt(observed, 'conditions').filter((one) => ownTypes.has(textAt(one, 'type')));
  return {
    ...recorded,
    ...(Array.isArray(recorded['conditions']) ? { conditions: [...listAt(recorded, 'conditions'), ...own] } : {}),
    live: listAt(recorded, 'live').map((object) => {
      const found = listAt(observed, 'live').find((other) => isSameObject(object, other));
      const added = Object.entries(stringsAt(found, 'annotations')).filter(([name]) => name.startsWith(ownPrefix));
      if (!isJsonObject(object) || added.length === 0) return object;
      return { ...object, annotations: { ...stringsAt(object, 'annotations'), ...Object.fromEntries(added) } };
    }),
  };
};

const isSameObject = (one: Json, other: Json): boolean =>
  ['apiVersion', 'kind', 'namespace', 'name'].every((field) => textAt(one, field) === textAt(other, field));

/** Nothing is read for a spec that is invalid or not permitted, so a sync has no revision; each problem is reported once. */
const invalidSpecIsNotRead: DifferenceRule = (recorded) => {
  const state = objectAt(recorded, 'operationState');
  const problems = textAt(state, 'message').split(';');
  if (!problems.some((one) => one.startsWith('InvalidSpecError: '))) return recorded;
  const compared = textAt(recorded, 'sync', 'status') !== 'Unknown';
  const said = compared ? problems : problems.filter((one) => !one.startsWith('ComparisonError: '));
  const { revision, ...result } = objectAt(state, 'syncResult') ?? {};
  const syncResult = compared && revision !== undefined ? { revision, ...result } : result;
  return { ...recorded, operationState: { ...state, message: [...new Set(said)].join(';'), syncResult } };
};

/**
 * Resources that a sync applied without an error and that are still OutOfSync: no sync can change them. Examples are rules of an aggregated
 * role, map entries that are declared null, and metadata that only the server writes; all are Synced here.
 */
const syncedAfterSync: DifferenceRule = (recorded, observed, stuck) => {
  const changed = listAt(recorded, 'resources').map((resource) => {
    const isStuck = isJsonObject(resource) && resource['status'] === 'OutOfSync' && stuck.has(keyOfResource(resource));
    const here = listAt(observed, 'resources').find((other) => keyOfResource(other) === keyOfResource(resource));
    return isStuck && textAt(here, 'status') === 'Synced' ? { ...resource, status: 'Synced' } : resource;
  });
  if (changed.every((resource, index) => resource === listAt(recorded, 'resources')[index])) return recorded;
  const isSynced = changed.every((resource) => textAt(resource, 'status') !== 'OutOfSync');
  const sync = objectAt(recorded, 'sync');
  return {
    ...recorded,
    resources: changed,
    ...(isSynced && textAt(sync, 'status') === 'OutOfSync' ? { sync: { ...sync, status: 'Synced' } } : {}),
  };
};

const keyOfResource = (resource: unknown): string =>
  ['group', 'kind', 'namespace', 'name'].map((field) => textAt(resource, field)).join('/');

/** The resources that Argo CD has applied, and that are OutOfSync right after it, in any of these observations of syncs. */
export const stuckResources = (recorded: readonly JsonObject[]): Set<string> =>
  new Set(
    recorded.flatMap((observation) => {
      if (textAt(observation, 'operationState', 'phase') !== 'Succeeded') return [];
      const applied = new Set(
        listAt(observation, 'operationState', 'syncResult', 'resources')
          .filter((result) => textAt(result, 'status') === 'Synced')
          .flatMap((result) => [keyOfResource(result), keyOfResource({ ...asObject(result), namespace: '' })]),
      );
      return listAt(observation, 'resources')
        .filter((resource) => textAt(resource, 'status') === 'OutOfSync' && applied.has(keyOfResource(resource)))
        .map(keyOfResource);
    }),
  );

const asObject = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

export const differenceRules: Readonly<Record<string, DifferenceRule>> = {
  unknownHealthWithoutComparison,
  ownAdditions,
  invalidSpecIsNotRead,
  syncedAfterSync,
};

/** The recorded observation as Fairlead is expected to report it. */
export const withDifferenceRules: DifferenceRule = (recorded, observed, stuck) =>
  Object.values(differenceRules).reduce((expected, rule) => rule(expected, observed, stuck), recorded);
