import { copyJson, dns1123Label, fieldError, type LabelSelector } from '@fairlead/apimachinery';
import type { RuleContext } from '../../resource.ts';
import { type Findings, unsupported } from './checks.ts';
import { selects, shownMap } from './label-selector.ts';
import { dropDisabledFields } from './pod-spec/drop-disabled.ts';
import { type Leniency, leniencyFor } from './pod-spec/leniency.ts';
import type { PodTemplateSpec } from './pod-spec/types.ts';
import { podTemplate } from './pod-spec/validate.ts';
import { podWarnings } from './pod-spec/warnings.ts';
import type { Settings } from './settings.ts';

export const specOf = <S extends object>({ spec }: { spec?: S }): Partial<S> => spec ?? {};
export const statusOf = <S extends object>({ status }: { status?: S }): Partial<S> => status ?? {};

export const leniencyOfTemplate = (old: PodTemplateSpec | undefined, settings: Settings): Leniency => ({
  ...leniencyFor(old?.spec, old?.metadata?.annotations),
  ...settings,
});

export function dropDisabledTemplateFields(template: PodTemplateSpec | undefined, old?: PodTemplateSpec): void {
  if (template?.spec) dropDisabledFields(template.spec, old?.spec);
}

/** A write to the main endpoint keeps the old status, one to the status endpoint the old spec. */
export function keepOther<T extends { spec?: object; status?: object }>(
  draft: T,
  old: T,
  { subresource }: RuleContext,
): void {
  if (subresource === 'status') {
    if (old.spec === undefined) delete draft.spec;
    else draft.spec = copyJson(old.spec);
  } else if (old.status === undefined) delete draft.status;
  else draft.status = copyJson(old.status);
}

/** The labels of a template must match its selector; without a selector nothing matches. */
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

/** Templates whose pods are always restarted. */
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
