import type { Condition } from '@fairlead/apimachinery';
import type { Definition } from './definition.ts';
import { parseRequestUri } from './go-url.ts';

const annotation = 'api-approved.kubernetes.io';
const reference = 'see https://github.com/kubernetes/enhancements/pull/1111';

export const approvalField = `metadata.annotations[${annotation}]`;

export interface Approval {
  readonly state: 'missing' | 'invalid' | 'approved' | 'bypassed';
  readonly annotation: string;
  readonly reason: string;
}

/** Whether a CRD in a community group has an API approval; undefined for any other group. */
export function approvalOf({ metadata, spec }: Definition): Approval | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec.group ?? '')) return undefined;
  const text = metadata.annotations?.[annotation] ?? '';
  const needed = `protected groups must have approval annotation ${JSON.stringify(annotation)}`;
  const found = (state: Approval['state'], reason: string) => ({ state, annotation: text, reason });
  if (text === '') return found('missing', `${needed}, ${reference}`);
  if (text.startsWith('unapproved')) return found('bypassed', `not approved: ${JSON.stringify(text)}`);
  const url = parseRequestUri(text);
  if (url?.host && url.scheme) return found('approved', `approved in ${text}`);
  return found('invalid', `${needed} with either a URL or a reason starting with "unapproved", ${reference}`);
}

const reasons = {
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
} as const;

export function approvalCondition(definition: Definition): Condition | undefined {
  const approval = approvalOf(definition);
  return (
    approval && {
      type: 'KubernetesAPIApprovalPolicyConformant',
      status: approval.state === 'approved' ? 'True' : 'False',
      reason: reasons[approval.state],
      message: approval.reason,
    }
  );
}
