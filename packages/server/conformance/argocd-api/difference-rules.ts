import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from '@fairlead/apimachinery';
import type { Step } from './api-case.ts';

/**
 * Answers that are not compared, because the recorded one is a defect:
 *
 * - `undecodedAddress`: Argo CD never decodes the address in `/repositories/ADDRESS/validate`, so that every test of a repository fails. Requests
 *   that are refused before are compared.
 * - `nilPointer`: a request without a body made it panic.
 * - `sameSetAgain`: an ApplicationSet that is created again is refused if the JSON of its list elements is formatted otherwise than Kubernetes does.
 */
export function isDefect({ path = '', expect = {}, body }: Step, earlier: readonly Step[]): boolean {
  const message = textAt(expect.body, 'message') || textAt(expect.body, '/message');
  if (message.startsWith('existing ApplicationSet spec is different')) {
    return body !== undefined && isRepeated(body, path, earlier);
  }
  if (textAt(expect.body, 'message').includes('nil pointer dereference')) return true;
  return /^\/api\/v1\/repositories\/[^/]+\/validate/u.test(path) && expect.status === 500;
}

/** Whether the last request to a path had the same body. */
const isRepeated = (body: unknown, path: string, earlier: readonly Step[]): boolean =>
  JSON.stringify(earlier.findLast((step) => step.path === path)?.body) === JSON.stringify(body);

/**
 * Where the status of an Application differs on purpose, because of the controller: the recording and the answer are brought to what both
 * have. `docs/differences.md` has the reason for each.
 */
export function withoutDifferences(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDifferences);
  if (typeof value === 'string') return withoutHash(value);
  if (!isObject(value)) return value;
  const changed = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, common(key, item)]));
  // Annotations of which none is left are those of an object without any.
  if (changed['annotations'] === null) delete changed['annotations'];
  if (isCluster(changed)) return commonCluster(changed);
  if (isApplicationStatus(changed)) return commonStatus(changed);
  return Object.keys(changed).some((key) => key.startsWith('/')) ? commonPicks(changed) : changed;
}

/** The same rules for single values of an Application, by JSON pointer. */
function commonPicks(picks: JsonObject): JsonObject {
  const isUncompared = picks['/status/sync/status'] === 'Unknown';
  const isRunning = picks['/status/operationState/phase'] === 'Running';
  const isLocal = listAt(picks, '/status/operationState', 'operation', 'sync', 'manifests').length > 0;
  return Object.fromEntries(
    Object.entries(picks).map(([path, item]) => {
      if (path.endsWith('/status/health/status') && isUncompared) return [path, '<varies>'];
      if (path === '/status/operationState/message' && isRunning) return [path, '<varies>'];
      if (path === '/status/sync' && isLocal) return [path, '<varies>'];
      if (path === '/status/history' && Array.isArray(item)) return [path, withoutLocal(item)];
      if (!path.endsWith('/status/conditions') || !Array.isArray(item)) return [path, item];
      const shared = item.filter((one) => !ownConditions.test(textAt(one, 'type')));
      return [path, shared.length > 0 ? shared : null];
    }),
  );
}

/** `noLocalHistory`: a sync of local manifests is not a revision to roll back to, nor to compare with. */
function withoutLocal(history: readonly Json[]): Json {
  const kept = history.filter((entry) => textAt(entry, 'revision') !== '' || listAt(entry, 'revisions').length > 0);
  return kept.length > 0 ? kept : null;
}

/** `ownEventSource`: the component that reports events about Applications. */
function common(key: string, item: Json): Json {
  if (/(?:^|\/)source$/u.test(key) && /"component":"(?:argocd|fairlead)/u.test(JSON.stringify(item))) return '<varies>';
  if (/(?:^|\/)annotations$/u.test(key) && isObject(item)) return withoutHydration(item);
  if (key === 'resources' && Array.isArray(item)) return item.map(withoutHealth).map(withoutDifferences);
  return key === 'pod-template-hash' ? '<hash>' : withoutDifferences(item);
}

/** `noHydration`: a refresh asks no hydrator. */
function withoutHydration(annotations: JsonObject): Json {
  const kept = Object.entries(annotations).filter(([name]) => !name.startsWith('argocd.argoproj.io/hydrate'));
  return kept.length === 0 && Object.keys(annotations).length > 0 ? null : Object.fromEntries(kept);
}

function withoutHealth(resource: Json): Json {
  if (!isObject(resource) || !('kind' in resource)) return resource;
  const { health: _, ...other } = resource;
  return other;
}

/** `fingerprint`: the one of an SSH host key. */
const withoutFingerprint = (text: string): string => text.replace(/^SHA256:[\w+/]{43}$/u, 'SHA256:');

/** `templateHash`: the hash of a pod template depends on the version of Kubernetes. It has no vowels. */
const withoutHash = (text: string): string =>
  withoutFingerprint(text).replace(/(?<=[a-z]-)(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}(?![\w])/gu, '<hash>');

/**
 * - `noPanics`: a request on which Argo CD's server panics is answered.
 * - `manyRevisions`: sources may use several revisions of one repository.
 * - `lastValidPolicy`: a policy that cannot be read does not fail every request.
 */
const improved =
  /^(?:runtime error: |cannot reference a different revision of the same repository|error creating casbin enforcer: )/u;

export const isImproved = (body: Json | undefined): boolean =>
  isObject(body) && improved.test(textAt(body, 'message') || textAt(body, '/message'));

const isCluster = (value: JsonObject): boolean => typeof value['server'] === 'string' && isObject(value['info']);

/** `ownCluster`: the cluster of the run has another patch version than the recorded one, and not the same definitions of custom resources. */
function commonCluster(cluster: JsonObject): JsonObject {
  const withVersion = (value: JsonObject): JsonObject =>
    value['serverVersion'] === undefined ? value : { ...value, serverVersion: '<value>' };
  const info = objectAt(cluster, 'info') ?? {};
  const builtIn = listAt(info, 'apiVersions').filter(
    (name) => !/^(?:argoproj\.io|sim\.fairlead\.dev)\//u.test(String(name)),
  );
  const kinds = builtIn.length > 0 ? { apiVersions: builtIn } : {};
  return { ...withVersion(cluster), info: { ...withVersion(info), ...kinds } };
}

const isApplicationStatus = (value: JsonObject): boolean => isObject(value['sync']) && isObject(value['health']);

/** Conditions that Argo CD does not have. */
export const ownConditions = /^(?:NotHealthy|OutOfSync|SyncWindow|.*Warning)$/u;

/**
 * - `ownConditions`: the controller states why an Application is not Synced or not Healthy.
 * - `noReconciledAt`: a refresh without changes writes nothing.
 * - `storedHealth`: the health of resources is part of the status.
 * - `unknownHealthWithoutComparison`: what cannot be compared is not Healthy.
 * - `noControllerNamespace`: it is written with the first comparison.
 */
function commonStatus(status: JsonObject): JsonObject {
  const { conditions: _, reconciledAt: __, resourceHealthSource: ___, controllerNamespace: ____, ...rest } = status;
  const shared = listAt(status, 'conditions').filter((one) => !ownConditions.test(textAt(one, 'type')));
  const isUncompared = textAt(status, 'sync', 'status') === 'Unknown';
  return {
    ...rest,
    ...(isUncompared ? { health: '<varies>' } : {}),
    ...(shared.length > 0 ? { conditions: shared } : {}),
  };
}
