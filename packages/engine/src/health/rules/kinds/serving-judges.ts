import type { Json, KubeObject } from '@fairlead/kube';
import { at, listAt, numberAt, textAt } from '../../../json-at.ts';
import { type Health, health } from '../../health.ts';
import { elementsOf } from '../path.ts';

const conditionsOf = (object: KubeObject): readonly Json[] => listAt(object, 'status', 'conditions');

const readyStatus = (object: KubeObject): string =>
  textAt(
    conditionsOf(object).find((condition) => textAt(condition, 'type') === 'Ready'),
    'status',
  );

/** `2: PredictorReady | False | reason | message`, without what is not said. */
const line = (condition: Json, index: number): string =>
  [
    `${index + 1}: ${textAt(condition, 'type')}`,
    ...['status', 'reason', 'message'].map((word) => textAt(condition, word)),
  ]
    .filter((part) => part !== '')
    .join(' | ');

export function knative(object: KubeObject): Health | undefined {
  const status = readyStatus(object);
  if (status === '') return undefined;
  if (status === 'True') return health('Healthy', `${object.kind} is healthy.`);
  const told = conditionsOf(object)
    .map((condition, index) => `${line(condition, index)}\n`)
    .join('');
  return health(status === 'False' || status === 'Unknown' ? 'Progressing' : 'Degraded', told);
}

const knativeReady = ['ConfigurationsReady', 'RoutesReady', 'Ready'];

/** Every condition that is not True is told, with its reason. */
export function knativeService(object: KubeObject): Health | undefined {
  const conditions = conditionsOf(object);
  if (at(object, 'status', 'conditions') === undefined) return undefined;
  const open = conditions.filter((condition) => ['False', 'Unknown'].includes(textAt(condition, 'status')));
  const good = conditions.filter(
    (condition) => textAt(condition, 'status') === 'True' && knativeReady.includes(textAt(condition, 'type')),
  );
  if (open.length === 0 && good.length === knativeReady.length) return health('Healthy', 'Knative Service is healthy.');
  const told = open.map((condition) => {
    const [type, status, reason, message] = ['type', 'status', 'reason', 'message'].map((word) =>
      textAt(condition, word),
    );
    return `${type} is ${status}${reason ? `, since ${reason}.` : ''}${message ? ` ${message}` : ''}\n`;
  });
  const failed = open.some((condition) => textAt(condition, 'status') === 'False');
  return health(failed ? 'Degraded' : 'Progressing', told.join(''));
}

/** A model that cannot be loaded is a fault whatever the conditions say; `Stopped` is no step on the way. */
export function inferenceService(object: KubeObject): Health | undefined {
  const conditions = conditionsOf(object);
  const transition = textAt(object, 'status', 'modelStatus', 'transitionStatus');
  if (conditions.length === 0 && transition === '') return undefined;
  const blocked = ['BlockedByFailedLoad', 'InvalidSpec'].includes(transition);
  const open = conditions
    .map((condition, index) => ({ condition, told: line(condition, index) }))
    .filter(({ condition }) => textAt(condition, 'type') !== 'Stopped' && textAt(condition, 'status') !== 'True');
  if (open.length === 0 && !blocked && transition !== 'InProgress') {
    return health('Healthy', 'InferenceService is healthy.');
  }
  const failed = open.some(({ condition }) => textAt(condition, 'status') === 'False');
  const head = transition === '' || transition === 'UpToDate' ? '' : `0: transitionStatus | ${transition}`;
  const degraded = blocked || (failed && transition !== 'InProgress');
  return health(degraded ? 'Degraded' : 'Progressing', [head, ...open.map(({ told }) => told)].join(' | '));
}

/** A running application is well when it has the executors that it asked for; with dynamic allocation, no fewer than the least. */
export function sparkExecutors(object: KubeObject): Health | undefined {
  if (textAt(object, 'status', 'applicationState', 'state') !== 'RUNNING') return undefined;
  const running = elementsOf(at(object, 'status', 'executorState')).filter((state) => state === 'RUNNING').length;
  return running >= executorsWanted(object)
    ? health('Healthy', 'SparkApplication is Running')
    : health('Progressing', 'SparkApplication is waiting for its executors');
}

function executorsWanted(object: KubeObject): number {
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
