import type { Application } from '@fairlead/api';
import { isJsonObject, type Json, type JsonObject, toJson } from '@fairlead/apimachinery';

/** The state of an Application in the form of the recording. */
export function observeApplication(application: Application | undefined): JsonObject {
  if (!application) return { application: null };
  const { metadata, status = {}, operation } = application;
  return compact({
    sync: compact(fields(status.sync, ['status', 'revision', 'revisions'])),
    health: compact(fields(status.health, ['status', 'message'])),
    conditions: (status.conditions ?? [])
      .map(({ type, message }) => ({ type, message }))
      .sort((a, b) => compareText(`${a.type} ${a.message}`, `${b.type} ${b.message}`)),
    ...(status.operationState ? { operationState: operationStateOf(status.operationState) } : {}),
    resources: (status.resources ?? []).map((resource) => ({
      ...compact(fields(resource, resourceFields)),
      ...(resource.health?.status ? { health: compact(fields(resource.health, ['status', 'message'])) } : {}),
    })),
    images: status.summary?.images ?? [],
    sourceType: status.sourceType ?? '',
    sourceTypes: status.sourceTypes ?? [],
    history: (status.history ?? []).map((entry) => compact(fields(entry, ['id', 'revision', 'revisions']), ['id'])),
    finalizers: metadata.finalizers ?? [],
    deleting: metadata.deletionTimestamp !== undefined,
    operationPending: operation !== undefined,
  });
}

const resourceFields = [
  'group',
  'version',
  'kind',
  'namespace',
  'name',
  'status',
  'hook',
  'requiresPruning',
  'requiresDeletionConfirmation',
  'syncWave',
];

function operationStateOf(state: NonNullable<NonNullable<Application['status']>['operationState']>): JsonObject {
  const { operation, syncResult } = state;
  const automated = operation.initiatedBy?.automated === true;
  return compact({
    ...fields(state, ['phase', 'message', 'retryCount']),
    automated,
    autoHealAttemptsCount: operation.sync?.autoHealAttemptsCount ?? 0,
    operationResources: automated ? toJson(operation.sync?.resources ?? []) : [],
    ...(syncResult
      ? {
          syncResult: {
            ...compact(fields(syncResult, ['revision', 'revisions', 'managedNamespaceMetadata'])),
            resources: (syncResult.resources ?? []).map((resource) => compact(fields(resource, resultFields))),
          },
        }
      : {}),
  });
}

const resultFields = [
  'group',
  'version',
  'kind',
  'namespace',
  'name',
  'status',
  'message',
  'hookPhase',
  'hookType',
  'syncPhase',
  'images',
];

function fields(object: object | undefined, names: readonly string[]): JsonObject {
  const json = toJson(object ?? {});
  return isJsonObject(json) ? Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name))) : {};
}

const always = ['sync', 'health', 'conditions', 'resources'];

/** Without empty fields. */
const compact = (object: JsonObject, kept: readonly string[] = always): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => kept.includes(name) || !saysNothing(value)));

const saysNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
