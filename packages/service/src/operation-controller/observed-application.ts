import { type Application, type ApplicationStatus, applicationKind } from '@fairlead/api';
import { apiVersionOf, type KubeObject } from '@fairlead/apimachinery';
import { essentialMeta } from '../backend/observed-deployment.ts';
import { essentialStatus } from '../deployments/deployment-status.ts';
import { stableHash } from '../stable-hash.ts';

export const idLabel = 'databaseID';
export const tenantLabel = 'managed-gitops.redhat.com/tenant';
/** On an Application: the sync run that was last started. Part of the write that starts the operation, so that it starts once. */
export const syncAnnotation = 'managed-gitops.redhat.com/sync-operation';

const applicationVersion = apiVersionOf(applicationKind.type);

/** The cached part of an Application: enough to detect that it has changed, and its owner. */
export interface ObservedApplication extends KubeObject {
  readonly specHash: string;
  readonly statusHash: string;
  readonly id: string;
  readonly tenant: string;
  readonly sync?: string;
}

export function observedApplication(
  object: Application,
  keep: (status: ApplicationStatus, hash: string) => void = () => {},
): ObservedApplication {
  const { metadata, spec } = object;
  const status = essentialStatus(object.status);
  const statusHash = stableHash(status);
  keep(status, statusHash);
  const sync = metadata.annotations?.[syncAnnotation];
  return {
    // One shared string instead of a copy for each object.
    apiVersion: applicationVersion,
    kind: applicationKind.type.kind,
    metadata: essentialMeta(metadata),
    specHash: stableHash(spec),
    statusHash,
    id: metadata.labels?.[idLabel] ?? '',
    tenant: metadata.labels?.[tenantLabel] ?? '',
    ...(sync === undefined ? {} : { sync }),
  };
}
