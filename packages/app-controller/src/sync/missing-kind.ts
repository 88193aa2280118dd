import type { KubeObject } from '@fairlead/apimachinery';
import { type Kinds, type ResourceId, versionOf } from '@fairlead/engine';

/** The messages for an object whose kind the cluster does not serve, as in Argo CD. */
export interface MissingKind {
  /** For the whole operation: the error of discovery. */
  readonly reason: string;
  /** For the object: the versions that the cluster serves. */
  readonly message: string;
}

/** `destination` is the namespace that Argo CD sets on an object without one. */
export function missingKind(kinds: Kinds, { apiVersion }: KubeObject, id: ResourceId, destination = ''): MissingKind {
  const { group, kind, name } = id;
  const namespace = id.namespace || destination;
  if (apiVersion === '') {
    const reason = "failed to discover server resources for group version : groupVersion shouldn't be empty";
    return { reason, message: reason };
  }
  if (kinds.hasVersion(apiVersion)) {
    const reason = `${kind}${group === '' ? '' : `.${group}`} "" not found`;
    return { reason, message: reason };
  }
  const reason = `failed to discover server resources for group version ${apiVersion}: the server could not find the requested resource`;
  const other = kinds.findAny(group, kind) ?? kinds.findNamed(kind);
  const message = other
    ? `The Kubernetes API could not find version "${versionOf(apiVersion)}" of ${group}/${kind} for requested resource ${namespace}/${name}. Version "${other.version}" of ${other.group}/${kind} is installed on the destination cluster.`
    : `The Kubernetes API could not find ${group}/${kind} for requested resource ${namespace}/${name}. Make sure the "${kind}" CRD is installed on the destination cluster.`;
  return { reason, message };
}

/** The error of kubectl for an object whose kind is not served. */
export const unmappedKind = ({ apiVersion, kind }: KubeObject, { namespace, name }: ResourceId): string =>
  `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${kind.toLowerCase()}/${name}": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`;
