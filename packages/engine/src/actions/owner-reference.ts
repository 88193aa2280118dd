import type { JsonObject, Unstructured } from '@fairlead/apimachinery';

/** What a created object names as its owner. */
export const ownerReferenceTo = ({ apiVersion, kind, metadata: { name, uid } }: Unstructured): JsonObject => ({
  apiVersion,
  kind,
  name,
  ...(uid === undefined ? {} : { uid }),
});
