import { dns1123Label, fieldError, validateLabels } from '@fairlead/apimachinery';
import type { StatefulSetSpec } from '@fairlead/apimachinery/fields';
import { type Findings, invalid, nonNegative, oneOf } from '../checks.ts';
import { same } from '../equality.ts';
import { isEmptySelector, isUsable, requiredSelector, shownSelector } from '../label-selector.ts';
import { annotations, podAnnotations } from '../pod-spec/annotations.ts';
import { claimSpec } from '../pod-spec/claim-template.ts';
import type { Leniency } from '../pod-spec/leniency.ts';
import { podTemplate } from '../pod-spec/validate.ts';
import { amountOf, atMostAll, countOrShare, type IntOrPercent } from '../rollout.ts';
import * as templates from '../template.ts';

/** What is not validated again on update: immutable fields, and an already invalid template. */
interface Known {
  readonly fixedFields?: boolean;
  readonly brokenTemplate?: boolean;
}

export function* statefulSetSpec(spec: StatefulSetSpec, leniency: Leniency, known: Known = {}): Findings {
  yield* policies(spec);
  if (!known.fixedFields) {
    for (const [index, claim] of (spec.volumeClaimTemplates ?? []).entries()) {
      yield* claimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`);
    }
  }
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* nonNegative(spec.ordinals?.start, 'spec.ordinals.start');
  if (!known.fixedFields && spec.serviceName) {
    yield* invalid('spec.serviceName', spec.serviceName, dns1123Label(spec.serviceName));
  }
  yield* requiredSelector(spec.selector, 'spec.selector', 'statefulset');
  if (!isUsable(spec.selector)) yield fieldError.invalid('spec.selector', shownSelector(spec.selector), '');
  else yield* setTemplate(spec, leniency, known);
  yield* templates.runsForEver(spec.template ?? {}, 'spec.template', 'StatefulSet');
}

function* policies(spec: StatefulSetSpec): Findings {
  const { podManagementPolicy: management, updateStrategy: { type, rollingUpdate } = {} } = spec;
  if (management !== 'OrderedReady' && management !== 'Parallel') {
    yield fieldError.invalid('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'");
  }
  const path = 'spec.updateStrategy';
  const shown = rollingUpdate
    ? { Partition: rollingUpdate.partition ?? 0, MaxUnavailable: rollingUpdate.maxUnavailable ?? null }
    : null;
  if (type === 'OnDelete') {
    if (rollingUpdate) {
      yield fieldError.invalid(`${path}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'");
    }
  } else if (type === 'RollingUpdate') {
    if (rollingUpdate) yield* rolling(rollingUpdate, `${path}.rollingUpdate`);
  } else {
    yield fieldError.invalid(path, { Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'");
  }
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[field];
    yield* oneOf(value, ['Retain', 'Delete'], `spec.persistentVolumeClaimRetentionPolicy.${field}`);
  }
}

function* rolling(update: { partition?: number; maxUnavailable?: IntOrPercent }, path: string): Findings {
  yield* nonNegative(update.partition, `${path}.partition`);
  const limit = update.maxUnavailable;
  if (limit == null) return;
  yield* countOrShare(limit, `${path}.maxUnavailable`);
  if (amountOf(limit) === 0) yield fieldError.invalid(`${path}.maxUnavailable`, limit, 'cannot be 0');
  yield* atMostAll(limit, `${path}.maxUnavailable`);
}

/** The controller sets host name, subdomain and claim volumes of the pods. */
function* setTemplate(spec: StatefulSetSpec, leniency: Leniency, known: Known): Findings {
  const { selector, template = {}, volumeClaimTemplates: claims = [] } = spec;
  const path = 'spec.template';
  if (!selector || !isEmptySelector(selector)) yield* templates.selectorFits(selector, template, path);
  const { subdomain: _, hostname: __, volumes = [], ...rest } = template.spec ?? {};
  const names = new Set(claims.map((claim) => claim.metadata?.name ?? ''));
  const provided = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const kept = volumes.filter((volume) => !names.has(volume.name ?? ''));
  const completed = { ...template, spec: { ...rest, volumes: [...provided, ...kept] } };
  if (!known.brokenTemplate) yield* podTemplate(completed, path, leniency);
  yield* validateLabels(template.metadata?.labels, `${path}.labels`);
  yield* annotations(template.metadata?.annotations, `${path}.annotations`);
  yield* podAnnotations(template.metadata?.annotations, completed.spec, `${path}.annotations`, leniency);
}

const mutable: readonly string[] = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export function* fixedFields(spec: StatefulSetSpec, old: StatefulSetSpec): Findings {
  const fixed = (from: StatefulSetSpec) =>
    Object.fromEntries(Object.entries(from).filter(([field]) => !mutable.includes(field)));
  if (same(fixed(spec), fixed(old))) return;
  const listed = mutable.map((field) => `'${field}'`);
  const detail = `updates to statefulset spec for fields other than ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)} are forbidden`;
  yield fieldError.forbidden('spec', detail);
}
