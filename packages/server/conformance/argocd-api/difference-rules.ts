import { isObject, type Json, type JsonObject, listAt, textAt } from '@fairlead/apimachinery';

/**
 * Where the status of an Application differs on purpose, because of the controller: the recording and the answer are brought to what both
 * have. `docs/differences.md` has the reason for each.
 */
export function withoutDifferences(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDifferences);
  if (typeof value === 'string') return withoutHash(value);
  if (!isObject(value)) return value;
  const changed = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, common(key, item)]));
  return isApplicationStatus(changed) ? commonStatus(changed) : withoutHydrate(changed);
}

/** `noHydrateAnnotations`: a refresh requests no hydration of Applications that are not hydrated. */
function withoutHydrate(value: JsonObject): JsonObject {
  const { annotations } = value;
  if (!isObject(annotations)) return value;
  const { 'argocd.argoproj.io/hydrate': _, 'argocd.argoproj.io/hydrate-timestamp': __, ...rest } = annotations;
  const { annotations: ___, ...others } = value;
  return Object.keys(rest).length > 0 ? { ...others, annotations: rest } : others;
}

/** `ownEventSource`: the component that reports events about Applications. */
function common(key: string, item: Json): Json {
  if (/(?:^|\/)source$/u.test(key) && /"component":"(?:argocd|fairlead)/u.test(JSON.stringify(item))) return '<varies>';
  return key === 'pod-template-hash' ? '<hash>' : withoutDifferences(item);
}

/** `templateHash`: the hash of a pod template depends on the version of Kubernetes. It has no vowels. */
const withoutHash = (text: string): string =>
  text.replace(/(?<=[a-z]-)(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}(?![\w])/gu, '<hash>');

/** `noPanics`: a request on which Argo CD's server panics is answered. */
export const isPanic = (body: Json | undefined): boolean =>
  isObject(body) && /^runtime error: /u.test(textAt(body, 'message'));

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

/**
 * The same for texts of the command line: conditions that Argo CD does not have, in the table of an Application and in the list of all.
 * Whether `sync` and `wait` print a table of progress depends on how fast the controller is.
 */
export const withoutTextDifferences = (text: string): string =>
  text
    .replace(/^TIMESTAMP {2}GROUP {2}KIND .*\n(?:<progress>\n)?/gmu, '')
    .replace(/\nCONDITION {2}MESSAGE {2}LAST TRANSITION\n((?:.+\n)*)\n?/gu, (table, rows: string) => {
      const shared = rows.split('\n').filter((row) => row !== '' && !ownConditions.test(row.split('  ')[0] ?? ''));
      if (shared.length === rows.split('\n').length - 1) return table;
      return shared.length === 0 ? '' : `\nCONDITION  MESSAGE  LAST TRANSITION\n${shared.join('\n')}\n\n`;
    })
    .replace(
      /^(argocd\/.* {2}(?:Manual|Auto[\w-]*) {2})(\S+)( {2}.*)$/gmu,
      (_, before: string, types: string, after: string) => {
        const shared = types.split(',').filter((type) => !ownConditions.test(type.replace(/\(\d+\)$/u, '')));
        return `${before}${shared.length === 0 ? '<none>' : shared.join(',')}${after}`;
      },
    );
