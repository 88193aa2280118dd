import type { Application } from '@fairlead/api';
import { ApiError, apiVersionOf, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { Target } from '../harness/target.ts';
import type { StableCase } from './cases.ts';

/**
 * Why no client can create an object that a sync failed for: its kind is not served, or the API server refuses the manifest without our
 * help. Undefined if the API server accepts it, so that the sync itself is at fault.
 */
export async function refusalOf(
  target: Target,
  { spec, status }: Application,
  { manifests, syncOptions }: StableCase,
): Promise<string | undefined> {
  const failed = (status?.operationState?.syncResult?.resources ?? []).filter((one) => one.status === 'SyncFailed');
  const kinds = await target.kinds();
  for (const { group, version, kind, name } of failed) {
    const apiVersion = apiVersionOf({ group, version });
    const type = kinds.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
    if (!type) return `the API server has no kind ${kind} in ${apiVersion}`;
    const manifest = manifests().find((one) => one.kind === kind && one.metadata?.name === name);
    if (!manifest) continue;
    const metadata = { ...manifest.metadata };
    if (type.namespaced) metadata.namespace ??= spec.destination.namespace ?? '';
    try {
      const object = { ...manifest, metadata };
      if (syncOptions.includes('ServerSideApply=true')) await dryRunApply(target, type, object);
      else await target.destination.create(type, object, { dryRun: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return `the API server refuses ${kind} ${name}: ${error.message}`;
    }
  }
  return undefined;
}

function dryRunApply({ destination }: Target, type: ResourceType, object: KubeObject): Promise<KubeObject> {
  const { namespace = '', name } = object.metadata;
  const key = type.namespaced ? { namespace, name } : { name };
  return destination.patch(type, key, 'apply', object, { dryRun: true, force: true, fieldManager: 'stable-sync' });
}
