import type { Resource } from '../resource.ts';

const mainReset = [['status']];

/** Paths that a request through this endpoint cannot change, so that nobody comes to own them through it. */
export function resetFieldsOf(resource: Resource, subresource: string): readonly (readonly string[])[] {
  if (subresource === 'status') return statusReset(resource);
  return resource.hasStatus && subresource === '' ? mainReset : [];
}

function statusReset(resource: Resource): string[][] {
  const paths: string[][] = [];
  for (const field of resource.schema.fields.keys()) {
    if (field !== 'status' && field !== 'metadata' && field !== 'apiVersion' && field !== 'kind') paths.push([field]);
  }
  if (resource.custom) {
    for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences']) paths.push(['metadata', field]);
  } else if (resource.kind === 'Deployment') paths.push(['metadata', 'labels']);
  return paths;
}
