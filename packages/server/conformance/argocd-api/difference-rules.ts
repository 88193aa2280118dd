import { isObject, type Json, type JsonObject, listAt, textAt } from '@fairlead/apimachinery';

/**
 * Where the status of an Application differs on purpose, because of the controller: the recording and the answer are brought to what both
 * have. `docs/differences.md` has the reason for each.
 */
export function withoutDifferences(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDifferences);
  if (!isObject(value)) return value;
  const changed = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDifferences(item)]));
  return isApplicationStatus(changed) ? commonStatus(changed) : changed;
}

/** The same for the tables of the command line: rows of conditions that Argo CD does not have. */
export function withoutTextDifferences(text: string): string {
  return text;
}

const isApplicationStatus = (value: JsonObject): boolean => isObject(value['sync']) && isObject(value['health']);

/** Conditions that Argo CD does not have. */
const ownConditions = /^(?:NotHealthy|OutOfSync|SyncWindow|.*Warning)$/u;

/**
 * - `ownConditions`: the controller states why an Application is not Synced or not Healthy.
 * - `noReconciledAt`: a refresh without changes writes nothing.
 * - `storedHealth`: the health of resources is part of the status.
 */
function commonStatus(status: JsonObject): JsonObject {
  const { conditions: _, reconciledAt: __, resourceHealthSource: ___, ...rest } = status;
  const shared = listAt(status, 'conditions').filter((one) => !ownConditions.test(textAt(one, 'type')));
  const resources = listAt(status, 'resources').map((one) => {
    if (!isObject(one)) return one;
    const { health: ____, ...other } = one;
    return other;
  });
  return {
    ...rest,
    ...(shared.length > 0 ? { conditions: shared } : {}),
    ...(resources.length > 0 ? { resources } : {}),
  };
}
