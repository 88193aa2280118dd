import { fieldError, type LabelSelector } from '@fairlead/apimachinery';
import type { Draft, KindRules } from '../../resource.ts';
import { type Findings, nonNegative } from './checks.ts';
import { replicatedTemplate } from './deployment.ts';
import { fixedSelector, isUsable, requiredSelector, shownSelector } from './label-selector.ts';
import { defaultTemplate } from './pod-spec/default.ts';
import type { Leniency } from './pod-spec/leniency.ts';
import type { PodTemplateSpec } from './pod-spec/types.ts';
import { type Counts, replicaCounts } from './replica-counts.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

interface ReplicaSetSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
}

const specOf = (draft: Draft): ReplicaSetSpec => templates.specOf<ReplicaSetSpec>(draft);

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

export const replicaSetRules = (settings: Settings): KindRules => ({
  default(draft) {
    const spec = specOf(draft);
    defaultTemplate((spec.template ??= {}));
    spec.replicas ??= 1;
  },
  prepareCreate(draft) {
    draft['status'] = { replicas: 0 };
    templates.dropDisabledTemplateFields(specOf(draft).template);
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    templates.dropDisabledTemplateFields(specOf(draft).template, specOf(old).template);
  },
  validate: (draft, { operation }) =>
    operation === 'create' ? [...replicaSetSpec(specOf(draft), { ...settings })] : [],
  validateUpdate(draft, old) {
    const [spec, before] = [specOf(draft), specOf(old)];
    return [
      ...replicaSetSpec(spec, templates.leniencyOfTemplate(before.template, settings)),
      ...fixedSelector(spec.selector, before.selector, 'spec.selector'),
    ];
  },
  validateStatusUpdate: (draft) => [
    ...replicaCounts(templates.statusOf<Counts>(draft), counts, [
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
    ]),
  ],
  warnings(draft, old) {
    if (old && draft.metadata.generation === old.metadata.generation) return [];
    const advice = old ? [] : templates.nameAdvice(draft.metadata.name);
    return [...advice, ...templates.templateWarnings(specOf(draft).template, 'spec.template')];
  },
});
