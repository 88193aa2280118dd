import type { ManagedFieldsEntry } from '../meta/object.ts';
import { difference, type FieldSet, fieldSet, has } from './field-set.ts';
import { encodeManagers, identify, type Manager, type Managers, readManagers } from './managers.ts';
import { fieldElement } from './path-element.ts';

/**
 * Ownership through `/scale`. A Scale is another kind, in another group, and shares one number with its object: so the managers of that
 * number are the managers of the Scale, the Scale is written like any object, and the result is transferred back.
 */
const scaleVersion = 'autoscaling/v1';
const replicasOfScale: FieldSet = fieldSet(['f:spec', 'f:replicas']);

const elements = (path: readonly string[]) => path.map(fieldElement);

/** The managedFields of a Scale, from those of its object; `replicas` is the path of the number in the object. */
export function scaleManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  replicas: readonly string[],
): ManagedFieldsEntry[] {
  const managers: Managers = new Map();
  for (const [id, { source: _, ...manager }] of readManagers(parent)) {
    if (has(manager.fields, elements(replicas))) {
      managers.set(id, { ...manager, apiVersion: scaleVersion, fields: replicasOfScale });
    }
  }
  return encodeManagers(managers);
}

/**
 * The managedFields of the object after its Scale was written. A manager that no longer owns the number loses it; a new owner through the
 * Scale gets an entry without a time, as on a real server.
 */
export function parentManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  scale: readonly ManagedFieldsEntry[] | undefined,
  apiVersion: string,
  replicas: readonly string[],
): ManagedFieldsEntry[] {
  const path = elements(replicas);
  const owners = new Map([...readManagers(scale).values()].map((manager) => [anyVersion(manager), manager]));
  const managers: Managers = new Map();
  for (const [id, manager] of readManagers(parent)) {
    if (!has(manager.fields, path) || owners.delete(anyVersion(manager))) {
      managers.set(id, manager);
      continue;
    }
    const fields = difference(manager.fields, fieldSet(path));
    if (fields.size > 0) managers.set(id, { ...manager, fields });
  }
  for (const { source: _, time: __, ...owner } of owners.values()) {
    if (!has(owner.fields, ['f:spec', 'f:replicas'])) continue;
    const manager = { ...owner, apiVersion, fields: fieldSet(path) };
    managers.set(identify(manager), manager);
  }
  return encodeManagers(managers);
}

const anyVersion = (manager: Manager): string => identify({ ...manager, apiVersion: '' });
