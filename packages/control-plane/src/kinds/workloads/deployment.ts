import { fieldError, type LabelSelector } from '@fairlead/apimachinery';
import type { DeploymentFields, DeploymentSpec } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../resource.ts';
import { type Findings, nonNegative, unsupported } from './checks.ts';
import { same } from './equality.ts';
import { fixedSelector, isEmptySelector, isUsable, requiredSelector, shownSelector } from './label-selector.ts';
import type { Leniency } from './pod-spec/leniency.ts';
import type { PodTemplateSpec } from './pod-spec/types.ts';
import { neverCountedDown, replicaCounts } from './replica-counts.ts';
import { amountOf, atMostAll, countOrShare } from './rollout.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

function* deploymentSpec(spec: DeploymentSpec, leniency: Leniency): Findings {
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* requiredSelector(spec.selector, 'spec.selector', 'deployment');
  if (!isUsable(spec.selector))
    yield fieldError.invalid('spec.selector', shownSelector(spec.selector), 'invalid label selector');
  else yield* replicatedTemplate(spec, leniency);
  yield* strategyOf(spec, 'spec.strategy');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit');
  const deadline = spec.progressDeadlineSeconds;
  yield* nonNegative(deadline, 'spec.progressDeadlineSeconds');
  if (deadline != null && deadline <= (spec.minReadySeconds ?? 0)) {
    yield fieldError.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
  }
}

/** Of a ReplicaSet, or of a Deployment that creates one. */
export function* replicatedTemplate(
  { selector, template = {} }: { selector?: LabelSelector | null; template?: PodTemplateSpec },
  leniency: Leniency,
): Findings {
  if (!selector || !isEmptySelector(selector)) {
    yield* templates.selectorFits(selector, template, 'spec.template');
  }
  yield* templates.lastingTemplate(template, 'spec.template', leniency, 'ReplicaSet');
}

function* strategyOf({ strategy = {} }: DeploymentSpec, path: string): Findings {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate') {
    if (rollingUpdate) {
      yield fieldError.forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'");
    }
  } else if (type === 'RollingUpdate') {
    const at = `${path}.rollingUpdate`;
    const { maxUnavailable, maxSurge } = rollingUpdate ?? {};
    yield* countOrShare(maxUnavailable, `${at}.maxUnavailable`);
    yield* countOrShare(maxSurge, `${at}.maxSurge`);
    if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
      yield fieldError.invalid(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
    }
    yield* atMostAll(maxUnavailable, `${at}.maxUnavailable`);
  } else {
    const shown = rollingUpdate
      ? { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 }
      : null;
    yield unsupported(path, { Type: type, RollingUpdate: shown }, ['Recreate', 'RollingUpdate']);
  }
}

const counts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];

export const deploymentRules = (settings: Settings): KindRules<DeploymentFields> => ({
  prepareCreate(draft) {
    draft.status = {};
    templates.dropDisabledTemplateFields(templates.specOf(draft).template);
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    if (context.subresource === 'status') {
      if (old.metadata.labels) draft.metadata.labels = { ...old.metadata.labels };
      else delete draft.metadata.labels;
    }
    templates.dropDisabledTemplateFields(templates.specOf(draft).template, templates.specOf(old).template);
  },
  // Annotations are copied to ReplicaSets, so a change of them is rolled out.
  generationMoves: (draft, old) =>
    !same(draft.spec, old.spec) || !same(draft.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
  validate: (draft, { operation }) =>
    operation === 'create' ? [...deploymentSpec(templates.specOf(draft), { ...settings })] : [],
  validateUpdate(draft, old) {
    const [spec, before] = [templates.specOf(draft), templates.specOf(old)];
    return [
      ...deploymentSpec(spec, templates.leniencyOfTemplate(before.template, settings)),
      ...fixedSelector(spec.selector, before.selector, 'spec.selector'),
    ];
  },
  validateStatusUpdate(draft, old) {
    const status = templates.statusOf(draft);
    return [
      ...replicaCounts(status, counts, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
      ...neverCountedDown(status, templates.statusOf(old)),
    ];
  },
  warnings(draft, old) {
    if (old && draft.metadata.generation === old.metadata.generation) return [];
    const advice = old ? [] : templates.nameAdvice(draft.metadata.name);
    return [...advice, ...templates.templateWarnings(templates.specOf(draft).template, 'spec.template')];
  },
});
