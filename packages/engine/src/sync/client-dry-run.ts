import {
  decodeTyped,
  type Field,
  type KubeObject,
  messageOf,
  type ObjectSchema,
  type ResourceType,
  typeNamed,
  unstructured,
} from '@fairlead/apimachinery';
import { sortKeys } from '../diff/last-applied.ts';
import { planPatch } from './apply.ts';
import { type ApplyOutcome, applyMessage, kubectlName } from './apply-message.ts';
import { authReconcile, isRbac } from './auth-reconcile.ts';

export interface DryRunOptions {
  readonly replace?: boolean;
  readonly ignore?: readonly string[];
}

/**
 * The result of `kubectl apply --dry-run=client`, which Argo CD runs for every object before it changes anything: it checks whether the
 * object can be sent. Nothing is sent. Throws with the message of kubectl if it cannot.
 */
export function clientDryRun(
  type: ResourceType,
  desired: KubeObject,
  live: KubeObject | undefined,
  { replace = false, ignore = [] }: DryRunOptions = {},
): string {
  checkMetadata(type, desired);
  checkName(type, desired);
  const name = kubectlName(type, desired);
  const said = (outcome: ApplyOutcome, warnings?: readonly string[]): string =>
    applyMessage(name, outcome, warnings, true);
  if (replace) return said(live ? 'replaced' : 'created');
  const reconciled = isRbac(desired) ? authReconcile(desired, live) : undefined;
  const before = reconciled ? `${name} ${reconciled.report.replace('reconciled', 'reconciled (dry run)')}` : '';
  if (!live) return `${before}${said('created')}`;
  const { outcome, warnings } = planPatch({ type, desired, ignore }, live);
  return `${before}${said(outcome, warnings)}`;
}

const metadataField: Field = {
  name: 'metadata',
  pointer: true,
  schema: typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
};
const anyKind: ObjectSchema = { type: 'object', fields: new Map([['metadata', metadataField]]), preserveUnknown: true };

/** A label that YAML reads as a number or a boolean is sent as such, and rejected. */
function checkMetadata(type: ResourceType, object: KubeObject): void {
  try {
    // Argo CD writes manifests with sorted keys: the first invalid key is reported.
    decodeTyped({ metadata: sortKeys(unstructured(object)['metadata'] ?? null) }, anyKind);
  } catch (error) {
    throw new Error(`unable to decode "${kubectlName(type, object)}": ${messageOf(error)}`, { cause: error });
  }
}

function checkName({ group, version, plural, kind }: ResourceType, { metadata }: KubeObject): void {
  if (metadata.name) return;
  if (metadata.generateName) throw new Error(`from ${metadata.generateName}: cannot use generate name with apply`);
  throw new Error(
    [
      'error when retrieving current configuration of:',
      `Resource: "${group}/${version}, Resource=${plural}", GroupVersionKind: "${group}/${version}, Kind=${kind}"`,
      `Name: "", Namespace: "${metadata.namespace ?? ''}"`,
      `from server for: "${kind.toLowerCase()}": resource name may not be empty`,
    ].join('\n'),
  );
}
