import { fieldError } from '@fairlead/apimachinery';
import type { ReplicaSetFields, ReplicaSetSpec } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../resource.ts';
import { type Findings, nonNegative } from './checks.ts';
import { replicatedTemplate } from './deployment.ts';
import { fixedSelector, isUsable, requiredSelector, shownSelector } from './label-selector.ts';
import type { Leniency } from './pod-spec/leniency.ts';
import { replicaCounts } from './replica-counts.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

function* replicaSetSpec(spec: ReplicaSetSpec, leniency: Leniency): Findings {
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* requiredSelector(spec.selector, 'spec.selector', 'deployment');
  if (!isUsable(spec.selector))
    yield fieldError.invalid('spec.selector', shownSelector(spec.selector), 'invalid label selector');
  else yield* replicatedTemplate(spec, leniency);
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
];

export const replicaSetRules = (settings: Settings): KindRules<ReplicaSetFields> => ({
  prepareCreate(draft) {
    draft.status = { replicas: 0 };
    templates.dropDisabledTemplateFields(templates.specOf(draft).template);
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    templates.dropDisabledTemplateFields(templates.specOf(draft).template, templates.specOf(old).template);
  },
  validate: (draft, { operation }) =>
    operation === 'create' ? [...replicaSetSpec(templates.specOf(draft), { ...settings })] : [],
  validateUpdate(draft, old) {
    const [spec, before] = [templates.specOf(draft), templates.specOf(old)];
    return [
      ...replicaSetSpec(spec, templates.leniencyOfTemplate(before.template, settings)),
      ...fixedSelector(spec.selector, before.selector, 'spec.selector'),
    ];
  },
  validateStatusUpdate: (draft) => [
    ...replicaCounts(templates.statusOf(draft), counts, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  ],
  warnings(draft, old) {
    if (old && draft.metadata.generation === old.metadata.generation) return [];
    const advice = old ? [] : templates.nameAdvice(draft.metadata.name);
    return [...advice, ...templates.templateWarnings(templates.specOf(draft).template, 'spec.template')];
  },
});
