import { addResources, type KubeObject, maxResources } from '@fairlead/apimachinery';
import { refuse } from '../../../errors.ts';
import type { RuleContext } from '../../../resource.ts';
import type { ResourceList } from '../pod-spec/types.ts';
import { compare, isNegative, isZeroQuantity, minus } from '../resources/resource-list.ts';
import { type Measure, measureFor, type Scope } from './quota-usage.ts';

interface ResourceQuota extends KubeObject {
  spec?: { scopes?: string[]; scopeSelector?: { matchExpressions?: Scope[] } };
  status?: { hard?: ResourceList; used?: ResourceList };
}

/** What is counted, and its name in errors. */
export interface Counted {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly storage: string;
}

/**
 * Rejects objects that would exceed a quota of the namespace. The usage is that of the status of the quota, or of the existing objects if
 * that is more: a controller updates the status later.
 */
export const quotaAdmission = (resource: Counted) => {
  const measure = measureFor(resource);
  return (draft: KubeObject, old: KubeObject | undefined, context: RuleContext): void => {
    const namespace = draft.metadata.namespace;
    if (!namespace || !measure?.handles(draft, old, context.subresource)) return;
    for (const object of context.find('core/resourcequotas', namespace)) {
      const refusal = refusalOf(object, measure, { draft, old, resource, context });
      if (refusal) throw refuse.forbidden(resource, draft.metadata.name ?? '', refusal);
    }
  };
};

interface Request {
  readonly draft: KubeObject;
  readonly old: KubeObject | undefined;
  readonly resource: Counted;
  readonly context: RuleContext;
}

function refusalOf(quota: ResourceQuota, measure: Measure, request: Request): string | undefined {
  const { draft, old, context } = request;
  const hard = quota.status?.hard ?? {};
  const limited = Object.keys(hard).filter((name) => measure.counts(name));
  const scopes = scopesOf(quota);
  const fits = (object: KubeObject) => scopes.every((scope) => measure.inScope(object, scope));
  if (limited.length === 0 || !fits(draft)) return undefined;

  const { name } = quota.metadata;
  const missing = measure.missing(draft, limited);
  if (missing) return `failed quota: ${name}: ${missing}`;
  const recorded = quota.status?.used ?? {};
  const unknown = limited.filter((each) => recorded[each] === undefined);
  if (unknown.length > 0) return `status unknown for quota: ${name}, resources: ${unknown.sort().join(',')}`;
  const usage = measure.usage(draft, context.clock.now());
  const negative = Object.entries(usage).flatMap(([each, amount]) => (isNegative(amount) ? [each] : []));
  if (negative.length > 0) return `quota usage is negative for resource(s): ${negative.sort().join(',')}`;

  const before = old && fits(old) ? measure.usage(old, context.clock.now()) : {};
  const asked = only(difference(usage, before), Object.keys(hard));
  if (Object.keys(asked).length === 0) return undefined;
  const used = maxResources(recorded, only(presentUsage(measure, fits, request), limited));
  const after = addResources(used, asked);
  const exceeded = Object.keys(asked).filter((each) => compare(after[each] ?? '0', hard[each] ?? '0') > 0);
  if (exceeded.length === 0) return undefined;
  const shown = (list: ResourceList) =>
    exceeded
      .sort()
      .map((each) => `${each}=${list[each] ?? '0'}`)
      .join(',');
  return `exceeded quota: ${name}, requested: ${shown(asked)}, used: ${shown(used)}, limited: ${shown(hard)}`;
}

const scopesOf = ({ spec }: ResourceQuota): Scope[] => [
  ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(spec?.scopeSelector?.matchExpressions ?? []),
];

const only = (list: ResourceList, names: readonly string[]): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => names.includes(name)));

function difference(usage: ResourceList, before: ResourceList): ResourceList {
  const rest = Object.entries(usage).map(([name, amount]) => [name, minus(amount, before[name] ?? '0')] as const);
  return Object.fromEntries(rest.filter(([, amount]) => !isZeroQuantity(amount)));
}

function presentUsage(measure: Measure, fits: (object: KubeObject) => boolean, { draft, resource, context }: Request) {
  let total: ResourceList = {};
  for (const object of context.find(resource.storage, draft.metadata.namespace)) {
    if (fits(object)) total = addResources(total, measure.usage(object, context.clock.now()));
  }
  return total;
}
