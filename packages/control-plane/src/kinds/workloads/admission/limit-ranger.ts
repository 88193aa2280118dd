import { aggregateMessages, milliValue, podAsk } from '@fairlead/apimachinery';
import type { LimitRangeFields, LimitRangeItem, PodFields } from '@fairlead/apimachinery/fields';
import type { RuleContext } from '../../../resource.ts';
import { podOf } from '../pod/pod.ts';
import type { Container, ResourceList } from '../pod-spec/types.ts';
import { refusePod } from './refusal.ts';

function* rangesIn(draft: PodFields, context: RuleContext): Iterable<LimitRangeItem[]> {
  const ranges: Iterable<LimitRangeFields> = context.find('core/limitranges', draft.metadata.namespace ?? '');
  for (const { spec } of ranges) yield spec?.limits ?? [];
}

/** Sets the default resources of the namespace on containers without any, and records it in an annotation of the pod. */
export function limitDefaults(draft: PodFields, old: PodFields | undefined, context: RuleContext): void {
  if (old || context.subresource !== '') return;
  const { metadata, spec } = podOf(draft);
  for (const items of rangesIn(draft, context)) {
    const defaults: Defaults = { requests: {}, limits: {} };
    for (const item of items) {
      if (item.type !== 'Container') continue;
      Object.assign(defaults.requests, item.defaultRequest);
      Object.assign(defaults.limits, item.default);
    }
    const notes = [
      ...(spec.containers ?? []).flatMap((each) => fill(each, defaults, 'container')),
      ...(spec.initContainers ?? []).flatMap((each) => fill(each, defaults, 'init container')),
    ];
    if (notes.length === 0) continue;
    const note = `LimitRanger plugin set: ${notes.join('; ')}`;
    metadata.annotations = { ...metadata.annotations, 'kubernetes.io/limit-ranger': note };
  }
}

interface Defaults {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

function fill(container: Container, defaults: Defaults, what: string): string[] {
  const resources = (container.resources ??= {});
  return (['requests', 'limits'] as const).flatMap((part) => {
    const missing = Object.keys(defaults[part]).filter((name) => resources[part]?.[name] === undefined);
    if (missing.length === 0) return [];
    resources[part] = { ...resources[part], ...pick(defaults[part], missing) };
    return [`${missing.sort().join(', ')} ${part.slice(0, -1)} for ${what} ${container.name ?? ''}`];
  });
}

const pick = (list: ResourceList, names: readonly string[]): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => names.includes(name)));

/** Rejects a pod with resources outside the limits of the namespace. */
export function verifyLimits(draft: PodFields, old: PodFields | undefined, context: RuleContext): void {
  if (old ? context.subresource !== 'resize' : context.subresource !== '') return;
  const { spec } = podOf(draft);
  for (const items of rangesIn(draft, context)) {
    const problems: string[] = [];
    for (const item of items) {
      if (item.type === 'Container') {
        for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
          problems.push(...broken(item, container.resources?.requests ?? {}, container.resources?.limits ?? {}));
        }
      } else if (item.type === 'Pod') {
        problems.push(...broken(item, podAsk(spec, 'requests'), podAsk(spec, 'limits')));
      }
    }
    if (problems.length > 0) throw refusePod(draft, aggregateMessages(problems));
  }
}

const exceeds = (left: string, right: string): boolean => milliValue(left) > milliValue(right);

function* broken(item: LimitRangeItem, requests: ResourceList, limits: ResourceList): Iterable<string> {
  for (const [name, bound] of Object.entries(item.min ?? {})) {
    const [request, limit] = [requests[name], limits[name]];
    const rule = `minimum ${name} usage per ${item.type} is ${bound}`;
    if (request === undefined) yield `${rule}.  No request is specified`;
    else if (exceeds(bound, request)) yield `${rule}, but request is ${request}`;
    else if (limit !== undefined && exceeds(bound, limit)) yield `${rule}, but limit is ${limit}`;
  }
  for (const [name, bound] of Object.entries(item.max ?? {})) {
    const [request, limit] = [requests[name], limits[name]];
    const rule = `maximum ${name} usage per ${item.type} is ${bound}`;
    if (limit === undefined) yield `${rule}.  No limit is specified`;
    else if (exceeds(limit, bound)) yield `${rule}, but limit is ${limit}`;
    else if (request !== undefined && exceeds(request, bound)) yield `${rule}, but request is ${request}`;
  }
  for (const [name, bound] of Object.entries(item.maxLimitRequestRatio ?? {})) {
    const rule = `${name} max limit to request ratio per ${item.type} is ${bound}`;
    const [request, limit] = [milliValue(requests[name] ?? '0'), milliValue(limits[name] ?? '0')];
    if (request === 0) yield `${rule}, but no request is specified or request is 0`;
    else if (limit === 0) yield `${rule}, but no limit is specified or limit is 0`;
    else if ((limit / request) * 1000 > milliValue(bound)) {
      yield `${rule}, but provided ratio is ${(limit / request).toFixed(6)}`;
    }
  }
}
