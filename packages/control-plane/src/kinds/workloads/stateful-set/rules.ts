import { nameRules } from '@fairlead/apimachinery';
import type { StatefulSetFields, StatefulSetSpec } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { claimWarnings } from '../pod-spec/warnings-volumes.ts';
import { neverCountedDown, replicaCounts } from '../replica-counts.ts';
import type { Settings } from '../settings.ts';
import * as templates from '../template.ts';
import { fixedFields, statefulSetSpec } from './validate.ts';

/** Off in this version: it is kept only if an object already has it. */
function dropMaxUnavailable(spec: StatefulSetSpec, old?: StatefulSetSpec): void {
  if (old?.updateStrategy?.rollingUpdate?.maxUnavailable == null) {
    delete spec.updateStrategy?.rollingUpdate?.maxUnavailable;
  }
}

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
];

export const statefulSetRules = (settings: Settings): KindRules<StatefulSetFields> => ({
  validateName: nameRules.label,
  prepareCreate(draft) {
    draft.status = { replicas: 0, availableReplicas: 0 };
    dropMaxUnavailable(templates.specOf(draft));
    templates.dropDisabledTemplateFields(templates.specOf(draft).template);
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    dropMaxUnavailable(templates.specOf(draft), templates.specOf(old));
    templates.dropDisabledTemplateFields(templates.specOf(draft).template, templates.specOf(old).template);
  },
  validate: (draft, { operation }) =>
    operation === 'create' ? [...statefulSetSpec(templates.specOf(draft), { ...settings })] : [],
  validateUpdate(draft, old) {
    const [spec, before] = [templates.specOf(draft), templates.specOf(old)];
    const leniency = templates.leniencyOfTemplate(before.template, settings);
    const brokenTemplate = [...statefulSetSpec(before, leniency, { fixedFields: true })].length > 0;
    return [...statefulSetSpec(spec, leniency, { fixedFields: true, brokenTemplate }), ...fixedFields(spec, before)];
  },
  validateStatusUpdate(draft, old) {
    const status = templates.statusOf(draft);
    const ofReplicas = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
    return [
      ...replicaCounts(status, counts, ofReplicas, 'status.readyReplicas'),
      ...neverCountedDown(status, templates.statusOf(old)),
    ];
  },
  warnings(draft, old) {
    const spec = templates.specOf(draft);
    const moved = !old || draft.metadata.generation !== old.metadata.generation;
    const claims = (spec.volumeClaimTemplates ?? []).flatMap((claim, index) => [
      ...claimWarnings(claim.spec, `spec.volumeClaimTemplates[${index}]${old ? '.Spec' : ''}`),
    ]);
    const keepsAll = (spec.revisionHistoryLimit ?? 0) < 0;
    return [
      ...(moved ? templates.templateWarnings(spec.template, 'spec.template') : []),
      ...claims,
      ...(keepsAll
        ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
        : []),
    ];
  },
});
