import { isObject } from '../json/json-value.ts';
import type { ManagedFieldsEntry } from '../meta/object.ts';
import type { FieldSet } from './field-set.ts';
import { decodeFields, encodeFields } from './fields-v1.ts';

/** The owned fields, by the identity of the manager. */
export type Managers = Map<string, Manager>;

export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly fields: FieldSet;
  readonly time?: string | undefined;
  /** The entry it was parsed from, to be written back unchanged if nothing changed. */
  readonly source?: { readonly entry: ManagedFieldsEntry; readonly fields: FieldSet } | undefined;
}

/**
 * An applier has one identity across versions, an updater one per version. The text equals that of kube-apiserver, because messages list
 * managers in its order.
 */
export const identify = ({
  name,
  operation,
  apiVersion,
  subresource,
}: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>): string =>
  JSON.stringify({
    ...(name ? { manager: name } : {}),
    operation,
    ...(operation === 'Update' ? { apiVersion } : {}),
    ...(subresource ? { subresource } : {}),
  });

/** Throws if it is not a list of managers. Entries written by the server are kept unchanged, those of clients are encoded again. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[] | undefined, ours = true): Managers {
  const managers: Managers = new Map();
  entries?.forEach((entry, index) => {
    const { operation, apiVersion, fieldsType }: ManagedFieldsEntry = entry ?? {};
    if (operation !== 'Apply' && operation !== 'Update') throw new Error('operation must be `Apply` or `Update`');
    if (!apiVersion) throw new Error('apiVersion must not be empty');
    if (!fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== 'FieldsV1') {
      throw new Error(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
    }
    const fields = entry.fieldsV1 ?? undefined;
    if (fields !== undefined && !isObject(fields)) throw new Error('fieldsV1 is not an object');
    const set = decodeFields(fields);
    const manager: Manager = {
      name: entry.manager ?? '',
      operation,
      apiVersion,
      subresource: entry.subresource ?? '',
      fields: set,
      time: entry.time ?? undefined,
      source: ours ? { entry, fields: set } : undefined,
    };
    managers.set(identify(manager), manager);
  });
  return managers;
}

/** Empty if the list is invalid. */
export function readManagers(entries: readonly ManagedFieldsEntry[] | undefined, ours = true): Managers {
  try {
    return decodeManagers(entries, ours);
  } catch {
    return new Map();
  }
}

/** In the order of kube-apiserver: appliers first, then by time, then by name. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()].sort(compareManagers).map(encodeManager);
}

function encodeManager(manager: Manager): ManagedFieldsEntry {
  const { name, operation, apiVersion, subresource, fields, time, source } = manager;
  if (source && source.entry.apiVersion === apiVersion && source.entry.time === time && source.fields === fields) {
    return source.entry;
  }
  return {
    ...(name ? { manager: name } : {}),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFields(fields),
    ...(subresource ? { subresource } : {}),
  };
}

export const secondsOf = (manager: Manager): number =>
  manager.time ? Math.floor(Date.parse(manager.time) / 1000) || 0 : 0;
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const compareManagers = (a: Manager, b: Manager): number =>
  compareTexts(a.operation, b.operation) ||
  secondsOf(a) - secondsOf(b) ||
  compareTexts(a.name, b.name) ||
  compareTexts(a.apiVersion, b.apiVersion) ||
  compareTexts(a.subresource, b.subresource);
