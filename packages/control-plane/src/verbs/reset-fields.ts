import { ownableAt, type ResetFields } from '@fairlead/apimachinery';
import type { Resource } from '../resource.ts';

const known = new WeakMap<Resource, Map<string, ResetFields>>();

/** Fields that a request to this endpoint cannot change, and therefore does not own. */
export function resetFieldsOf(resource: Resource, subresource: string): ResetFields {
  let ofResource = known.get(resource);
  if (!ofResource) known.set(resource, (ofResource = new Map()));
  let fields = ofResource.get(subresource);
  if (!fields) ofResource.set(subresource, (fields = ownableAt(resource, subresource)));
  return fields;
}
