import { applyDefaults, type FieldError, type KubeObject } from '@fairlead/apimachinery';
import { seededRandom, systemClock } from '@fairlead/kube';
import { validateMetadataOnUpdate, validateNew } from '../../metadata/validate.ts';
import type { Draft, KindRules, RuleContext } from '../../resource.ts';
import { clusterRules } from './index.ts';

/** What a test wants to know of one write: the object as it would be stored, what was wrong, what was warned of. */
export interface Trial {
  readonly object: Draft & { spec: Record<string, unknown>; status: Record<string, unknown> };
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

export interface Surroundings {
  /** Stored objects by storage name. */
  readonly stored?: Readonly<Record<string, readonly object[]>>;
  readonly subresource?: string;
  readonly rules?: KindRules;
  readonly seed?: number;
}

const keyOf = (object: object): string => {
  const { apiVersion, kind } = object as KubeObject;
  return `${apiVersion}/${kind}`;
};

function contextOf(
  operation: 'create' | 'update',
  { stored = {}, subresource = '', seed = 1 }: Surroundings,
): RuleContext {
  const find = (resource: string, namespace?: string): KubeObject[] =>
    ((stored[resource] ?? []) as KubeObject[]).filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    );
  return {
    user: { name: 'tester', groups: ['system:masters'] },
    clock: { ...systemClock, now: () => Date.UTC(2026, 0, 1) },
    random: seededRandom(seed),
    dryRun: false,
    operation,
    subresource,
    get: (resource, namespace, name) =>
      find(resource, namespace || undefined).find(({ metadata }) => metadata.name === name),
    find,
    warn: () => undefined,
  };
}

const cluster = new Set(['Namespace', 'Node', 'PersistentVolume', 'StorageClass', 'PriorityClass', 'ClusterRole']);
const isNamespaced = (object: object): boolean => !cluster.has((object as KubeObject).kind);

/** Runs a kind's rules over a new object in the server's order. */
export function create(given: object, surroundings: Surroundings = {}): Trial {
  const object = structuredClone(given) as Trial['object'];
  const rules = surroundings.rules ?? clusterRules[keyOf(given)] ?? {};
  const context = contextOf('create', surroundings);
  const namespaced = isNamespaced(given);
  if (namespaced) object.metadata.namespace ??= 'default';
  applyDefaults(object);
  rules.prepareCreate?.(object, context);
  rules.admit?.(object, undefined, context);
  const errors = validateNew(object, { namespaced, rules }, rules.validate?.(object, context) ?? []);
  rules.settle?.(object);
  return { object, errors, warnings: rules.warnings?.(object, undefined) ?? [] };
}

/** Runs them over a change of an object that `create` made. */
export function update(old: Draft, change: (object: Trial['object']) => void, surroundings: Surroundings = {}): Trial {
  const before = structuredClone(old);
  before.metadata.resourceVersion = '1';
  const object = structuredClone(before) as Trial['object'];
  change(object);
  const rules = surroundings.rules ?? clusterRules[keyOf(old)] ?? {};
  const context = contextOf('update', surroundings);
  applyDefaults(object);
  rules.prepareUpdate?.(object, before, context);
  if (context.subresource === '') rules.admit?.(object, before, context);
  const errors =
    context.subresource === 'status'
      ? (rules.validateStatusUpdate?.(object, before, context) ?? [])
      : [
          ...validateMetadataOnUpdate(object, before, { namespaced: isNamespaced(old), rules }),
          ...(rules.validate?.(object, context) ?? []),
          ...(rules.validateUpdate?.(object, before, context) ?? []),
        ];
  return { object, errors, warnings: rules.warnings?.(object, before) ?? [] };
}

/** `reason field` of each error: what clients act on. */
export const findings = ({ errors }: Trial): string[] =>
  errors.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);
