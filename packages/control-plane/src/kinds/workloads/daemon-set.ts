import { fieldError, setTemplateGeneration, templateGenerationOf, validateLabelSelector } from '@fairlead/apimachinery';
import type { DaemonSetFields, DaemonSetSpec } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../resource.ts';
import { type Findings, nonNegative, unsupported } from './checks.ts';
import { same } from './equality.ts';
import { fixedSelector, isEmptySelector, isUsable, shownSelector } from './label-selector.ts';
import type { Leniency } from './pod-spec/leniency.ts';
import { neverCountedDown } from './replica-counts.ts';
import { amountOf, atMostAll, countOrShare } from './rollout.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

function* daemonSetSpec(spec: DaemonSetSpec, leniency: Leniency): Findings {
  const { selector, template = {} } = spec;
  const options = { allowInvalidValues: leniency.selectorValues ?? false };
  yield* validateLabelSelector(selector, 'spec.selector', options);
  if (isUsable(selector)) yield* templates.selectorFits(selector, template, 'spec.template');
  if (selector && isEmptySelector(selector)) {
    yield fieldError.invalid('spec.selector', shownSelector(selector), 'empty selector is invalid for daemonset');
  }
  yield* templates.lastingTemplate(template, 'spec.template', leniency, 'DaemonSet');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* updateStrategy(spec, 'spec.updateStrategy');
  yield* nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit');
}

function* updateStrategy({ updateStrategy: { type, rollingUpdate } = {} }: DaemonSetSpec, path: string): Findings {
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    const shown = rollingUpdate
      ? { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 }
      : null;
    return yield unsupported(path, { Type: type, RollingUpdate: shown }, ['RollingUpdate', 'OnDelete']);
  }
  const at = `${path}.rollingUpdate`;
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {};
  yield* countOrShare(maxUnavailable, `${at}.maxUnavailable`);
  yield* countOrShare(maxSurge, `${at}.maxSurge`);
  yield* atMostAll(maxUnavailable, `${at}.maxUnavailable`);
  yield* atMostAll(maxSurge, `${at}.maxSurge`);
  const [fewer, more] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  if (fewer && more) {
    yield fieldError.invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
  if (!fewer && !more) yield fieldError.required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
}

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

export const daemonSetRules = (settings: Settings): KindRules<DaemonSetFields> => ({
  prepareCreate(draft) {
    draft.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    setTemplateGeneration(draft, Math.max(1, templateGenerationOf(draft)));
    templates.dropDisabledTemplateFields(templates.specOf(draft).template);
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    templates.dropDisabledTemplateFields(templates.specOf(draft).template, templates.specOf(old).template);
    const changed = !same(templates.specOf(draft).template, templates.specOf(old).template);
    setTemplateGeneration(draft, templateGenerationOf(old) + (changed ? 1 : 0));
  },
  validate(draft, { operation }) {
    if (operation !== 'create') return [];
    return [
      ...daemonSetSpec(templates.specOf(draft), { ...settings }),
      ...nonNegative(templateGenerationOf(draft), 'spec.templateGeneration'),
    ];
  },
  validateUpdate(draft, old) {
    const [spec, before] = [templates.specOf(draft), templates.specOf(old)];
    const leniency = templates.leniencyOfTemplate(before.template, settings);
    return [...fixedSelector(spec.selector, before.selector, 'spec.selector'), ...daemonSetSpec(spec, leniency)];
  },
  validateStatusUpdate(draft, old) {
    const status = templates.statusOf(draft);
    return [
      ...counts.flatMap((field) => [...nonNegative(status[field], `status.${field}`)]),
      ...neverCountedDown(status, templates.statusOf(old)),
    ];
  },
  warnings(draft, old) {
    if (old && templateGenerationOf(draft) === templateGenerationOf(old)) return [];
    return templates.templateWarnings(templates.specOf(draft).template, 'spec.template');
  },
});
