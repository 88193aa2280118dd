import { fieldError } from '@fairlead/apimachinery';
import type { ReplicationControllerFields, ReplicationControllerSpec } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../resource.ts';
import { type Findings, nonNegative } from './checks.ts';
import type { Leniency } from './pod-spec/leniency.ts';
import { replicaCounts } from './replica-counts.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

const size = (map: object | undefined): number => Object.keys(map ?? {}).length;

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

export const replicationControllerRules = (settings: Settings): KindRules<ReplicationControllerFields> => ({
  prepareCreate(draft) {
    draft.status = { replicas: 0 };
    templates.dropDisabledTemplateFields(templates.specOf(draft).template ?? undefined);
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    templates.dropDisabledTemplateFields(
      templates.specOf(draft).template ?? undefined,
      templates.specOf(old).template ?? undefined,
    );
  },
  validate: (draft, { operation }) =>
    operation === 'create' ? [...controllerSpec(templates.specOf(draft), { ...settings })] : [],
  validateUpdate: (draft, old) => [
    ...controllerSpec(
      templates.specOf(draft),
      templates.leniencyOfTemplate(templates.specOf(old).template ?? undefined, settings),
    ),
  ],
  validateStatusUpdate: (draft) => [
    ...replicaCounts(templates.statusOf(draft), counts, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  ],
  warnings(draft, old) {
    if (old && draft.metadata.generation === old.metadata.generation) return [];
    const advice = old ? [] : templates.nameAdvice(draft.metadata.name);
    // On update a real server validates the template before the change.
    const template = templates.specOf(old ?? draft).template ?? undefined;
    return [...advice, ...templates.templateWarnings(template, 'spec.template')];
  },
});
