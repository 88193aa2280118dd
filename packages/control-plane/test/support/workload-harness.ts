import {
  ApiError,
  applyDefaults,
  decodeValue,
  type FieldError,
  type Json,
  type JsonObject,
  type KubeObject,
  schemaOf,
} from '@fairlead/apimachinery';
import { seededRandom, systemClock } from '@fairlead/kube';
import { podAdmission, rulesOfWorkloads } from '../../src/kinds/workloads/index.ts';
import type { Draft, KindRules, RuleContext } from '../../src/resource.ts';

const workloadRules = rulesOfWorkloads({ allowPrivileged: false });

/** The result of one write: the object as it would be stored, its errors and its warnings. */
export interface HarnessResult {
  readonly object: Draft & { spec: JsonObject; status: JsonObject };
  /** `field: message` of each error. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** The error of the admission plugin that refused the write. */
  readonly refusal?: string;
}

export interface HarnessOptions {
  /** Stored objects by storage name. */
  readonly stored?: Readonly<Record<string, readonly object[]>>;
  readonly subresource?: string;
  /** With the plugins that are on by default; for pods only. */
  readonly admission?: { serviceAccount: boolean };
}

/** Decodes an object as the server does. */
export function decoded(given: object): HarnessResult['object'] {
  const { apiVersion, kind } = given as KubeObject;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const schema = schemaOf(group, version, kind);
  if (!schema) throw new Error(`no kind ${apiVersion} ${kind}`);
  const result = decodeValue(JSON.parse(JSON.stringify(given)) as Json, schema, { fieldValidation: 'Strict' });
  if ('problem' in result) throw new Error(result.problem);
  return result.draft as HarnessResult['object'];
}

/** Runs the rules of a kind over a new object, in the order of the server. */
export function create(given: object, options: HarnessOptions = {}): HarnessResult {
  const object = decoded(given);
  Object.assign(object.metadata, { namespace: 'default', uid: 'u-1', generation: 1 });
  const warnings: string[] = [];
  const context = contextOf('create', options, warnings);
  const rules = rulesOf(object, options);
  applyDefaults(object);
  rules.prepareCreate?.(object, context);
  return resultOf(object, warnings, () => {
    rules.admit?.(object, undefined, context);
    const errors = rules.validate?.(object, context) ?? [];
    rules.defaultAfterCreate?.(object);
    if (errors.length === 0) rules.verify?.(object, undefined, context);
    warnings.push(...(rules.warnings?.(object, undefined) ?? []));
    return errors;
  });
}

/** Runs the rules over an update of an object that `create` returned. */
export function update(
  given: object,
  change: (object: HarnessResult['object']) => void,
  options: HarnessOptions = {},
): HarnessResult {
  const old = given as HarnessResult['object'];
  const changed = structuredClone(old);
  change(changed);
  const object = decoded(changed);
  const warnings: string[] = [];
  const context = contextOf('update', options, warnings);
  const rules = rulesOf(object, options);
  applyDefaults(object);
  rules.prepareUpdate?.(object, old, context);
  if (JSON.stringify(object.spec) !== JSON.stringify(old.spec)) object.metadata.generation = 2;
  return resultOf(object, warnings, () => {
    if (context.subresource === '') rules.admit?.(object, old, context);
    const check = context.subresource === 'status' ? rules.validateStatusUpdate : rules.validateUpdate;
    const errors = [
      ...(context.subresource === 'status' ? [] : (rules.validate?.(object, context) ?? [])),
      ...(check?.(object, old, context) ?? []),
    ];
    if (errors.length === 0 && context.subresource !== 'status') rules.verify?.(object, old, context);
    warnings.push(...(rules.warnings?.(object, old) ?? []));
    return errors;
  });
}

function resultOf(
  object: HarnessResult['object'],
  warnings: readonly string[],
  run: () => FieldError[],
): HarnessResult {
  try {
    return { object, warnings, problems: run().map(({ field, message }) => `${field}: ${message}`) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { object, warnings, problems: [], refusal: error.message };
  }
}

function rulesOf(object: Draft, { admission }: HarnessOptions): KindRules {
  const rules = workloadRules[`${object.apiVersion}/${object.kind}`] ?? {};
  return admission ? { ...rules, ...podAdmission(admission) } : rules;
}

export function contextOf(
  operation: 'create' | 'update',
  { stored = {}, subresource = '' }: HarnessOptions,
  warnings: string[],
): RuleContext {
  const find = (resource: string, namespace?: string): KubeObject[] =>
    ((stored[resource] ?? []) as KubeObject[]).filter(
      ({ metadata }) => namespace === undefined || (metadata.namespace ?? '') === namespace,
    );
  return {
    user: { name: 'tester', groups: ['system:masters'] },
    clock: { ...systemClock, now: () => Date.UTC(2026, 0, 1) },
    random: seededRandom(1),
    dryRun: false,
    operation,
    subresource,
    get: (resource, namespace, name) => find(resource, namespace).find(({ metadata }) => metadata.name === name),
    find,
    warn: (message) => warnings.push(message),
  };
}

type Fields = Record<string, unknown>;

/** A pod with one container. `container` and `spec` add to that container and to the pod spec. */
export const podOf = ({ container = {}, spec = {}, metadata = {} }: Parts = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', ...metadata },
  spec: { containers: [{ name: 'main', image: 'nginx', ...container }], ...spec },
});

export interface Parts {
  readonly container?: Fields;
  readonly spec?: Fields;
  readonly metadata?: Fields;
}

/** A template of such pods, labelled `app: web`. */
export const templateOf = ({ container = {}, spec = {}, metadata = {} }: Parts = {}): Fields => ({
  metadata: { labels: { app: 'web' }, ...metadata },
  spec: { containers: [{ name: 'main', image: 'nginx', ...container }], ...spec },
});

/** The errors of such a pod. */
export const problemsOf = (parts: Parts): readonly string[] => create(podOf(parts)).problems;
