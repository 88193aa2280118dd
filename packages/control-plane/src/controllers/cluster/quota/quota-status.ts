import { addQuantities, compareQuantity, type KubeObject } from '@fairlead/apimachinery';
import type { Scope } from '../../../kinds/workloads/admission/quota-usage.ts';
import type { ResourceList } from '../../../kinds/workloads/pod-spec/types.ts';

export interface Quota extends KubeObject {
  spec?: { hard?: ResourceList; scopes?: string[]; scopeSelector?: { matchExpressions?: Scope[] } };
  status?: { hard?: ResourceList; used?: ResourceList };
}

export const scopesOf = ({ spec }: Quota): Scope[] => [
  ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(spec?.scopeSelector?.matchExpressions ?? []),
];

/** The sum of the usage of objects, for the given resources only. */
export function sumOf(usages: Iterable<ResourceList>, names: readonly string[]): ResourceList {
  const used: ResourceList = Object.fromEntries(names.map((name) => [name, '0']));
  for (const usage of usages) {
    for (const name of names) {
      if (usage[name] !== undefined) used[name] = addQuantities(used[name] ?? '0', usage[name]);
    }
  }
  return used;
}

/** The status of a quota; undefined if it is up to date. */
export function quotaStatus(quota: Quota, used: ResourceList): Quota['status'] {
  const hard = quota.spec?.hard ?? {};
  const isSame = (a: ResourceList | undefined, b: ResourceList): boolean => {
    const entries = Object.entries(b);
    if (!a || Object.keys(a).length !== entries.length) return false;
    return entries.every(([name, quantity]) => a[name] !== undefined && compareQuantity(a[name], quantity) === 0);
  };
  if (isSame(quota.status?.hard, hard) && isSame(quota.status?.used, used)) return undefined;
  return { hard, used };
}
