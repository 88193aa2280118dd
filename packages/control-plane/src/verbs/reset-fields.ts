import type { Resource } from '../resource.ts';

type Paths = readonly (readonly string[])[];

const mainReset: Paths = [['status']];
const nothing: Paths = [];
const ofStatus = new WeakMap<Resource, Paths>();

/** Paths that a request through this endpoint cannot change, so that nobody comes to own them through it. */
export function resetFieldsOf(resource: Resource, subresource: string): Paths {
  if (subresource !== 'status') return resource.hasStatus && subresource === '' ? mainReset : nothing;
  let paths = ofStatus.get(resource);
  if (!paths) ofStatus.set(resource, (paths = statusReset(resource)));
  return paths;
}

function statusReset(resource: Resource): Paths {
  const paths: string[][] = [];
  for (const field of resource.schema.fields.keys()) {
    if (field !== 'status' && field !== 'metadata' && field !== 'apiVersion' && field !== 'kind') paths.push([field]);
  }
  if (resource.custom) {
    for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences']) paths.push(['metadata', field]);
  } else if (resource.kind === 'Deployment') paths.push(['metadata', 'labels']);
  return paths;
}
