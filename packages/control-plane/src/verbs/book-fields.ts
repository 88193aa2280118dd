import { apiVersionOf, formatTime, updateManagedFields } from '@fairlead/apimachinery';
import type { Draft } from '../resource.ts';
import type { Api, WriteRequest } from './api.ts';
import { resetFieldsOf } from './reset-fields.ts';
import { conversionAmong } from './served-versions.ts';

/** Records the field ownership of a write for its manager; `live` is undefined if the object is new. */
export function bookFields(api: Api, request: WriteRequest, live: Draft | undefined, next: Draft): void {
  const { resource, subresource, manager } = request;
  const managedFields = updateManagedFields({
    live,
    next,
    schema: resource.schema,
    manager,
    apiVersion: apiVersionOf(resource),
    subresource,
    now: formatTime(api.clock.now()),
    resetFields: resetFieldsOf(resource, subresource),
    convert: conversionAmong(resource, () => api.registry.all()),
  });
  if (managedFields.length > 0) next.metadata.managedFields = managedFields;
  else delete next.metadata.managedFields;
}
