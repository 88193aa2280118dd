import { fieldError, type LabelSelector, validateLabelSelector } from '@fairlead/apimachinery';
import { refuse } from '../../errors.ts';
import type { Draft, KindRules } from '../../resource.ts';
import { type Findings, nonNegative, unsupported } from './checks.ts';
import { same } from './equality.ts';
import { fixedSelector, isEmptySelector, isUsable, shownSelector } from './label-selector.ts';
import { defaultTemplate } from './pod-spec/default.ts';
import type { Leniency } from './pod-spec/leniency.ts';
import type { PodTemplateSpec } from './pod-spec/types.ts';
import { type Counts, neverCountedDown } from './replica-counts.ts';
import { amountOf, atMostAll, countOrShare, type IntOrPercent } from './rollout.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

interface DaemonSetSpec {
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  updateStrategy?: { type?: string; rollingUpdate?: { maxUnavailable?: IntOrPercent; maxSurge?: IntOrPercent } };
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}

const specOf = (draft: Draft): DaemonSetSpec => templates.specOf<DaemonSetSpec>(draft);

/** A counter of template changes from before generations; clients still see it, as an annotation. */
const templateGeneration = 'deprecated.daemonset.template.generation';

function generationOf(draft: Draft): number {
  const text = draft.metadata.annotations?.[templateGeneration];
  if (text === undefined) return 0;
  if (!/^[+-]?\d+$/.test(text)) {
    const why = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
    throw refuse.badRequest(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${why}`);
  }
  return Number(text);
}

function setGeneration(draft: Draft, generation: number): void {
  draft.metadata.annotations = { ...draft.metadata.annotations, [templateGeneration]: String(generation) };
}

function defaultDaemonSet(draft: Draft): void {
  setGeneration(draft, generationOf(draft));
  const spec = specOf(draft);
  defaultTemplate((spec.template ??= {}));
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= 1;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
}

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

export const daemonSetRules = (settings: Settings): KindRules => ({
  default: defaultDaemonSet,
  prepareCreate(draft) {
    draft['status'] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    setGeneration(draft, Math.max(1, generationOf(draft)));
    templates.dropDisabledTemplateFields(specOf(draft).template);
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    templates.dropDisabledTemplateFields(specOf(draft).template, specOf(old).template);
    const changed = !same(specOf(draft).template, specOf(old).template);
    setGeneration(draft, generationOf(old) + (changed ? 1 : 0));
  },
  validate(draft, { operation }) {
    if (operation !== 'create') return [];
    return [
      ...daemonSetSpec(specOf(draft), { ...settings }),
      ...nonNegative(generationOf(draft), 'spec.templateGeneration'),
    ];
  },
  validateUpdate(draft, old) {
    const [spec, before] = [specOf(draft), specOf(old)];
    const leniency = templates.leniencyOfTemplate(before.template, settings);
    return [...fixedSelector(spec.selector, before.selector, 'spec.selector'), ...daemonSetSpec(spec, leniency)];
  },
  validateStatusUpdate(draft, old) {
    const status = templates.statusOf<Counts>(draft);
    return [
      ...counts.flatMap((field) => [...nonNegative(status[field], `status.${field}`)]),
      ...neverCountedDown(status, templates.statusOf<Counts>(old)),
    ];
  },
  warnings(draft, old) {
    if (old && generationOf(draft) === generationOf(old)) return [];
    return templates.templateWarnings(specOf(draft).template, 'spec.template');
  },
});
