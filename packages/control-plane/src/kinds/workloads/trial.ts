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
import type { Draft, KindRules, RuleContext } from '../../resource.ts';
import { podAdmission, workloadRules } from './index.ts';

/** What a test wants to know of one write: the object as it would be stored, what was wrong, what was said. */
export interface Trial {
  readonly object: Draft & { spec: JsonObject; status: JsonObject };
  /** `field: message` of each error. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** What an admission plugin said no with. */
  readonly refusal?: string;
}

export interface Surroundings {
  /** Stored objects by storage name. */
  readonly stored?: Readonly<Record<string, readonly object[]>>;
  readonly subresource?: string;
  /** With the plugins that are on by default; for pods only. */
  readonly admission?: { serviceAccount: boolean };
}

/** Decodes an object as the server does. */
export function decoded(given: object): Trial['object'] {
  const { apiVersion, kind } = given as KubeObject;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const schema = schemaOf(group, version, kind);
  if (!schema) throw new Error(`no kind ${apiVersion} ${kind}`);
  const result = decodeValue(JSON.parse(JSON.stringify(given)) as Json, schema, { fieldValidation: 'Strict' });
  if ('problem' in result) throw new Error(result.problem);
  return result.draft as Trial['object'];
}

/** Runs a kind's rules over a new object, in the server's order. */
export function create(given: object, surroundings: Surroundings = {}): Trial {
  const object = decoded(given);
  Object.assign(object.metadata, { namespace: 'default', uid: 'u-1', generation: 1 });
  const warnings: string[] = [];
  const context = contextOf('create', surroundings, warnings);
  const rules = rulesOf(object, surroundings);
  applyDefaults(object);
  rules.prepareCreate?.(object, context);
  return concluded(object, warnings, () => {
    rules.admit?.(object, undefined, context);
    const errors = rules.validate?.(object, context) ?? [];
    rules.settle?.(object);
    if (errors.length === 0) rules.verify?.(object, undefined, context);
    warnings.push(...(rules.warnings?.(object, undefined) ?? []));
    return errors;
  });
}

/** Runs them over a change of an object that `create` made. */
export function update(
  given: object,
  change: (object: Trial['object']) => void,
  surroundings: Surroundings = {},
): Trial {
  const old = given as Trial['object'];
  const wanted = structuredClone(old);
  change(wanted);
  const object = decoded(wanted);
  const warnings: string[] = [];
  const context = contextOf('update', surroundings, warnings);
  const rules = rulesOf(object, surroundings);
  applyDefaults(object);
  rules.prepareUpdate?.(object, old, context);
  if (JSON.stringify(object.spec) !== JSON.stringify(old.spec)) object.metadata.generation = 2;
  return concluded(object, warnings, () => {
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

function concluded(object: Trial['object'], warnings: readonly string[], run: () => FieldError[]): Trial {
  try {
    return { object, warnings, problems: run().map(({ field, message }) => `${field}: ${message}`) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { object, warnings, problems: [], refusal: error.message };
  }
}

function rulesOf(object: Draft, { admission }: Surroundings): KindRules {
  const rules = workloadRules[`${object.apiVersion}/${object.kind}`] ?? {};
  return admission ? { ...rules, ...podAdmission(admission) } : rules;
}

export function contextOf(
  operation: 'create' | 'update',
  { stored = {}, subresource = '' }: Surroundings,
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

/** A pod of one container; `container` is what to say of that, `spec` of the pod. */
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

/** What is wrong with such a pod. */
export const problemsOf = (parts: Parts): readonly string[] => create(podOf(parts)).problems;
