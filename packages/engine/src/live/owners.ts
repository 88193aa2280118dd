import { type KubeObject, listAt, textAt } from '@fairlead/apimachinery';

/** A reference to an owner: by uid, or by name in the namespace of the child if no uid is known. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

const serviceAccountTokens = 'kubernetes.io/service-account-token';

/** The owners of an object: explicit ones, and those that follow from its kind, as in Argo CD. */
export function ownersOf(object: KubeObject): readonly Owner[] {
  const named = object.metadata.ownerReferences ?? none;
  switch (object.kind) {
    case 'Endpoints':
      // Their controller sets no owner: they have the name of their Service.
      return object.apiVersion === 'v1' && named.length === 0
        ? [{ apiVersion: 'v1', kind: 'Service', name: object.metadata.name, uid: '' }]
        : named;
    case 'Secret':
      return object.apiVersion === 'v1' ? [...named, ...serviceAccountOf(object)] : named;
    case 'ClusterServiceVersion':
      return object.apiVersion.startsWith('operators.coreos.com/') ? [...named, ...operatorGroupOf(object)] : named;
    default:
      return named;
  }
}

const none: readonly Owner[] = [];

function serviceAccountOf(secret: KubeObject): Owner[] {
  if (textAt(secret, 'type') !== serviceAccountTokens) return [];
  const { annotations = {} } = secret.metadata;
  const name = annotations['kubernetes.io/service-account.name'];
  const uid = annotations['kubernetes.io/service-account.uid'];
  return name && uid ? [{ apiVersion: 'v1', kind: 'ServiceAccount', name, uid }] : [];
}

function operatorGroupOf(version: KubeObject): Owner[] {
  const name = version.metadata.annotations?.['olm.operatorGroup'];
  return name ? [{ apiVersion: 'operators.coreos.com/v1', kind: 'OperatorGroup', name, uid: '' }] : [];
}

/** The name prefixes of the claims of a StatefulSet: its controller sets no owner, unless it is configured to delete them. */
export function claimPrefixesOf(object: KubeObject): readonly string[] {
  if (object.kind !== 'StatefulSet' || !/^(?:apps|extensions)\//u.test(object.apiVersion)) return [];
  return listAt(object, 'spec', 'volumeClaimTemplates').map(
    (template) => `${textAt(template, 'metadata', 'name')}-${object.metadata.name}-`,
  );
}

/** `data-db-0` → `data-db-`; undefined when the name does not end with an ordinal. */
export const claimPrefix = (name: string): string | undefined => /^(.+-)\d+$/u.exec(name)?.[1];
