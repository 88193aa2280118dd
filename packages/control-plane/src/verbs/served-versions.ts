import { apiVersionOf, type Convert, copyJson, isObject, type JsonObject } from '@fairlead/apimachinery';
import type { Draft, Resource } from '../resource.ts';

type Served = Pick<Resource, 'group' | 'version' | 'storage' | 'schema' | 'convert'>;

/**
 * Conversion between the versions of one kind, through the storage version. `served` is called only if a manager owns fields in another
 * version than that of the request.
 */
export function conversionAmong(resource: Served, served: () => Iterable<Served>): Convert {
  const find = (apiVersion: unknown): Served | undefined => {
    if (apiVersion === apiVersionOf(resource)) return resource;
    for (const other of served()) {
      if (other.storage === resource.storage && apiVersionOf(other) === apiVersion) return other;
    }
    return undefined;
  };
  return (object, apiVersion) => {
    const to = find(apiVersion);
    if (!to) return undefined;
    // The empty object that a create is compared with is the same in all versions.
    if (!isObject(object['metadata'])) return { object, schema: to.schema };
    const from = find(object['apiVersion']) ?? resource;
    const draft = copyJson(object) as Draft;
    const kept = from.convert ? from.convert.toStorage(draft) : draft;
    const converted: JsonObject = to.convert ? to.convert.fromStorage(kept) : kept;
    return { object: { ...converted, apiVersion }, schema: to.schema };
  };
}
