import { copyJson, dns1123Label, fieldError, type Json, type LabelSelector } from '@fairlead/apimachinery';
import type { Draft, RuleContext } from '../../resource.ts';
import { type Findings, unsupported } from './checks.ts';
import { selects, shownMap } from './label-selector.ts';
import { dropDisabledFields } from './pod-spec/drop-disabled.ts';
import { type Leniency, leniencyFor } from './pod-spec/leniency.ts';
import type { PodTemplateSpec } from './pod-spec/types.ts';
import { podTemplate } from './pod-spec/validate.ts';
import { podWarnings } from './pod-spec/warnings.ts';
import type { Settings } from './settings.ts';

/** The spec of a draft under a type of its own; created where a real server has an empty one. */
export function specOf<T extends object>(draft: Draft): T {
  const object = draft as unknown as { spec?: T };
  object.spec ??= {} as T;
  return object.spec;
}

export const statusOf = <T extends object>(draft: Draft): T => (draft['status'] ?? {}) as unknown as T;

export const leniencyOfTemplate = (old: PodTemplateSpec | undefined, settings: Settings): Leniency => ({
  ...leniencyFor(old?.spec, old?.metadata?.annotations),
  ...settings,
});

export function dropDisabledTemplateFields(template: PodTemplateSpec | undefined, old?: PodTemplateSpec): void {
  if (template?.spec) dropDisabledFields(template.spec, old?.spec);
}

/** The main endpoint leaves the status alone, that of the status everything else. */
export function keepOther(draft: Draft, old: Draft, { subresource }: RuleContext): void {
  const field = subresource === 'status' ? 'spec' : 'status';
  if (old[field] === undefined) delete draft[field];
  else draft[field] = copyJson(old[field]) as Json;
}

/** A template must make pods that its own selector finds; without a selector nothing is found. */
export function* selectorFits(
  selector: LabelSelector | null | undefined,
  template: PodTemplateSpec,
  path: string,
): Findings {
  const labels = template.metadata?.labels;
  if (selector && selects(selector, labels)) return;
  const shown = labels ? shownMap(labels) : null;
  yield fieldError.invalid(`${path}.metadata.labels`, shown, '`selector` does not match template `labels`');
}

/** Templates whose pods are replaced for ever. */
export function* lastingTemplate(template: PodTemplateSpec, path: string, leniency: Leniency, owner: string): Findings {
  yield* podTemplate(template, path, leniency);
  yield* runsForEver(template, path, owner);
}

export function* runsForEver(template: PodTemplateSpec, path: string, owner: string): Findings {
  const spec = template.spec ?? {};
  if (spec.restartPolicy !== 'Always') {
    yield unsupported(`${path}.spec.restartPolicy`, spec.restartPolicy, ['Always']);
  }
  if (spec.activeDeadlineSeconds != null) {
    const detail = `activeDeadlineSeconds in ${owner} is not Supported`;
    yield fieldError.forbidden(`${path}.spec.activeDeadlineSeconds`, detail);
  }
}

export const templateWarnings = (template: PodTemplateSpec | undefined, path: string): string[] =>
  template ? [...podWarnings(template.spec ?? {}, template.metadata ?? {}, `${path}.`)] : [];

export function nameAdvice(name: string): string[] {
  const messages = dns1123Label(name);
  if (messages.length === 0) return [];
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: this is used in Pod names and hostnames, ${advice}: [${messages.join(' ')}]`];
}
