import { applyDefaults, type FieldError, type KubeObject } from '@fairlead/apimachinery';
import { seededRandom, systemClock } from '@fairlead/kube';
import { clusterRules } from '../../src/kinds/cluster/index.ts';
import { validateMetadataOnUpdate, validateNew } from '../../src/metadata/validate.ts';
import type { Draft, KindRules, RuleContext } from '../../src/resource.ts';

/** The result of one write: the object as it would be stored, its errors and its warnings. */
export interface HarnessResult {
  readonly object: Draft & { spec: Record<string, unknown>; status: Record<string, unknown> };
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

export interface HarnessOptions {
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
  { stored = {}, subresource = '', seed = 1 }: HarnessOptions,
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

/** Runs the rules of a kind over a new object, in the order of the server. */
export function create(given: object, options: HarnessOptions = {}): HarnessResult {
  const object = structuredClone(given) as HarnessResult['object'];
  const rules = options.rules ?? clusterRules[keyOf(given)] ?? {};
  const context = contextOf('create', options);
  const namespaced = isNamespaced(given);
  if (namespaced) object.metadata.namespace ??= 'default';
  applyDefaults(object);
  rules.prepareCreate?.(object, context);
  rules.admit?.(object, undefined, context);
  const errors = validateNew(object, { namespaced, rules }, rules.validate?.(object, context) ?? []);
  rules.defaultAfterCreate?.(object);
  return { object, errors, warnings: rules.warnings?.(object, undefined) ?? [] };
}

/** Runs the rules over an update of an object that `create` returned. */
export function update(
  old: Draft,
  change: (object: HarnessResult['object']) => void,
  options: HarnessOptions = {},
): HarnessResult {
  const before = structuredClone(old);
  before.metadata.resourceVersion = '1';
  const object = structuredClone(before) as HarnessResult['object'];
  change(object);
  const rules = options.rules ?? clusterRules[keyOf(old)] ?? {};
  const context = contextOf('update', options);
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

/** `reason field` of each error, which clients depend on. */
export const findings = ({ errors }: HarnessResult): string[] =>
  errors.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);
