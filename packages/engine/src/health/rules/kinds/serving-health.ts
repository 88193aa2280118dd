import { at, type Json, type KubeObject, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from '../../health.ts';
import { elementsOf } from '../path.ts';

const conditionsOf = (object: KubeObject): readonly Json[] => listAt(object, 'status', 'conditions');

/** `2: PredictorReady | False | reason | message`, without empty parts. */
const line = (condition: Json, index: number): string =>
  [
    `${index + 1}: ${textAt(condition, 'type')}`,
    ...['status', 'reason', 'message'].map((word) => textAt(condition, word)),
  ]
    .filter((part) => part !== '')
    .join(' | ');

/** Conditions of the operators: each must be True, and Unknown counts as not done. */
export const knativeOperator =
  (...needed: readonly string[]) =>
  (object: KubeObject): Health | undefined => {
    if (at(object, 'status', 'conditions') === undefined) return undefined;
    const conditions = conditionsOf(object);
    const is = (condition: Json, status: string): boolean => textAt(condition, 'status') === status;
    const waits = conditions.some(
      (condition) =>
        is(condition, 'Unknown') ||
        (is(condition, 'False') && ['Ready', 'DeploymentsAvailable'].includes(textAt(condition, 'type'))),
    );
    const text = conditions
      .map((condition, i) => `${i + 1}: ${textAt(condition, 'type')} | ${textAt(condition, 'status')}\n`)
      .join('');
    if (waits) return health('Progressing', text);
    const good = conditions.filter((condition) => is(condition, 'True') && needed.includes(textAt(condition, 'type')));
    return good.length === needed.length ? health('Healthy', `${object.kind} is healthy.`) : health('Degraded', text);
  };

const knativeReady = ['ConfigurationsReady', 'RoutesReady', 'Ready'];

/** Every condition that is not True is reported, with its reason. */
export function knativeService(object: KubeObject): Health | undefined {
  const conditions = conditionsOf(object);
  if (at(object, 'status', 'conditions') === undefined) return undefined;
  const open = conditions.filter((condition) => ['False', 'Unknown'].includes(textAt(condition, 'status')));
  const good = conditions.filter(
    (condition) => textAt(condition, 'status') === 'True' && knativeReady.includes(textAt(condition, 'type')),
  );
  if (open.length === 0 && good.length === knativeReady.length) return health('Healthy', 'Knative Service is healthy.');
  const text = open.map((condition) => {
    const [type, status, reason, message] = ['type', 'status', 'reason', 'message'].map((word) =>
      textAt(condition, word),
    );
    return `${type} is ${status}${reason ? `, since ${reason}.` : ''}${message ? ` ${message}` : ''}\n`;
  });
  const failed = open.some((condition) => textAt(condition, 'status') === 'False');
  return health(failed ? 'Degraded' : 'Progressing', text.join(''));
}

/** A model that cannot be loaded is an error; any other condition that is not True is in progress. */
export function inferenceService(object: KubeObject): Health | undefined {
  if (at(object, 'status', 'conditions') === undefined) return undefined;
  const conditions = conditionsOf(object);
  if (conditions.some((one) => textAt(one, 'type') === 'Stopped' && textAt(one, 'status') === 'True'))
    return health('Suspended', 'InferenceService is Stopped');
  const transition = textAt(object, 'status', 'modelStatus', 'transitionStatus');
  const settled = transition === '' || transition === 'UpToDate';
  const open = conditions
    .map((condition, index) => ({ condition, text: line(condition, index) }))
    .filter(({ condition }) => textAt(condition, 'type') !== 'Stopped' && textAt(condition, 'status') !== 'True');
  if (open.length === 0 && settled) return health('Healthy', 'InferenceService is healthy.');
  const head = settled ? '' : `0: transitionStatus | ${transition}`;
  const blocked = !settled && transition !== 'InProgress';
  return health(blocked ? 'Degraded' : 'Progressing', [head, ...open.map(({ text }) => text)].join(' | '));
}

/** A running application is healthy when it has the requested executors; with dynamic allocation, at least the minimum. */
export function sparkExecutors(object: KubeObject): Health | undefined {
  if (textAt(object, 'status', 'applicationState', 'state') !== 'RUNNING') return undefined;
  const running = elementsOf(at(object, 'status', 'executorState')).filter((state) => state === 'RUNNING').length;
  return running >= desiredExecutors(object)
    ? health('Healthy', 'SparkApplication is Running')
    : health('Progressing', 'SparkApplication is waiting for its executors');
}

function desiredExecutors(object: KubeObject): number {
  if (at(object, 'spec', 'dynamicAllocation', 'enabled') === true) {
    return numberAt(object, 'spec', 'dynamicAllocation', 'minExecutors');
  }
  for (const prefix of ['spark.dynamicAllocation', 'spark.streaming.dynamicAllocation']) {
    if (textAt(object, 'spec', 'sparkConf', `${prefix}.enabled`) === 'true') {
      return Number(textAt(object, 'spec', 'sparkConf', `${prefix}.minExecutors`)) || 0;
    }
  }
  return numberAt(object, 'spec', 'executor', 'instances');
}
