import { fieldError } from '@fairlead/apimachinery';
import type { Findings } from '../checks.ts';
import { isUsable, selects, shownMap, shownSelector } from '../label-selector.ts';
import type { Job } from './types.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';
const nameLabel = 'batch.kubernetes.io/job-name';
const nameLabels = ['job-name', nameLabel];
const uidLabels = ['controller-uid', uidLabel];

/** Labels and a selector that are unique to the pods of this Job; existing ones are kept and validated later. */
export function generateSelector({ metadata, spec }: Job): void {
  if (spec.manualSelector) return;
  const template = (spec.template ??= {});
  const labels = ((template.metadata ??= {}).labels ??= {});
  for (const label of nameLabels) labels[label] ??= metadata.name;
  for (const label of uidLabels) labels[label] ??= metadata.uid ?? '';
  const selector = (spec.selector ??= {});
  selector.matchLabels = { [uidLabel]: metadata.uid ?? '', ...selector.matchLabels };
}

export const hasPrefixedLabels = ({ spec }: Job): boolean =>
  [uidLabel, nameLabel].every((label) => spec.template?.metadata?.labels?.[label] !== undefined);

/** A generated selector that conflicts with labels of the user. */
export function* generatedSelector({ metadata, spec }: Job, prefixed: boolean): Findings {
  if (spec.manualSelector || !spec.selector) return;
  const given = spec.template?.metadata?.labels ?? {};
  const expected: Record<string, string> = { 'controller-uid': metadata.uid ?? '', 'job-name': metadata.name };
  if (prefixed) Object.assign(expected, { [uidLabel]: metadata.uid ?? '', [nameLabel]: metadata.name });
  for (const [label, value] of Object.entries(expected)) {
    const path = `spec.template.metadata.labels[${label}]`;
    if (given[label] === undefined) yield fieldError.required(path, `must be '${value}'`);
    else if (given[label] !== value) yield fieldError.invalid(path, shownMap(given), `must be '${value}'`);
  }
  if (isUsable(spec.selector) && !selects(spec.selector, expected)) {
    yield fieldError.invalid('spec.selector', shownSelector(spec.selector), '`selector` not auto-generated');
  }
}
