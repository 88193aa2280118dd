import { fieldError } from '@fairlead/apimachinery';
import type { Draft, KindRules } from '../../resource.ts';
import { type Findings, nonNegative } from './checks.ts';
import { defaultTemplate } from './pod-spec/default.ts';
import type { Leniency } from './pod-spec/leniency.ts';
import type { PodTemplateSpec } from './pod-spec/types.ts';
import { type Counts, replicaCounts } from './replica-counts.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec | null;
}

const specOf = (draft: Draft): ReplicationControllerSpec => templates.specOf<ReplicationControllerSpec>(draft);
const size = (map: object | undefined): number => Object.keys(map ?? {}).length;

/** The selector and the labels are the template's unless given. */
function defaultController(draft: Draft): void {
  const spec = specOf(draft);
  const labels = spec.template?.metadata?.labels;
  if (labels) {
    if (size(spec.selector) === 0) spec.selector = { ...labels };
    if (size(draft.metadata.labels) === 0) draft.metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  if (spec.template) defaultTemplate(spec.template);
}

function* controllerSpec(spec: ReplicationControllerSpec, leniency: Leniency): Findings {
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  if (size(spec.selector) === 0) yield fieldError.required('spec.selector');
  yield* nonNegative(spec.replicas, 'spec.replicas');
  if (!spec.template) return yield fieldError.required('spec.template');
  if (size(spec.selector) > 0) {
    yield* templates.selectorFits({ matchLabels: spec.selector ?? {} }, spec.template, 'spec.template');
  }
  yield* templates.lastingTemplate(spec.template, 'spec.template', leniency, 'ReplicationController');
}

const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'];

export const replicationControllerRules = (settings: Settings): KindRules => ({
  default: defaultController,
  prepareCreate(draft) {
    draft['status'] = { replicas: 0 };
    templates.dropDisabledTemplateFields(specOf(draft).template ?? undefined);
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    templates.dropDisabledTemplateFields(specOf(draft).template ?? undefined, specOf(old).template ?? undefined);
  },
  validate: (draft, { operation }) =>
    operation === 'create' ? [...controllerSpec(specOf(draft), { ...settings })] : [],
  validateUpdate: (draft, old) => [
    ...controllerSpec(specOf(draft), templates.leniencyOfTemplate(specOf(old).template ?? undefined, settings)),
  ],
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
    // On update it is the template before the change that a real server looks at.
    const template = specOf(old ?? draft).template ?? undefined;
    return [...advice, ...templates.templateWarnings(template, 'spec.template')];
  },
});
