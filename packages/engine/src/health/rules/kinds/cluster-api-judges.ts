import type { Json, KubeObject } from '@fairlead/kube';
import { at, listAt, numberAt, textAt } from '../../../json-at.ts';
import { type Health, type HealthStatus, health } from '../../health.ts';

const poolPhases: Readonly<Record<string, HealthStatus>> = {
  Running: 'Healthy',
  Scaling: 'Healthy',
  ScalingUp: 'Healthy',
  ScalingDown: 'Healthy',
  Failed: 'Degraded',
  Unknown: 'Unknown',
};

/** The phase, and each condition that keeps it from being better. */
export function machinePool(pool: KubeObject): Health | undefined {
  const phase = textAt(pool, 'status', 'phase');
  if (phase === '') return undefined;
  const status = Object.hasOwn(poolPhases, phase) ? poolPhases[phase]! : 'Progressing';
  const missing = conditionsThatAre(pool, 'False').map(
    (condition) => `Not ${textAt(condition, 'type')} (${textAt(condition, 'reason')})`,
  );
  const because = status === 'Healthy' || missing.length === 0 ? '' : `: ${missing.join(', ')}`;
  return health(status, `MachinePool is ${phase}${because}`);
}

/** A condition that is False and says why is a fault; one that says nothing is a step not yet taken. */
export function awsControlPlane(plane: KubeObject): Health {
  const failure = textAt(plane, 'status', 'failureMessage');
  if (failure !== '') return health('Degraded', failure);
  const observed = at(plane, 'status', 'observedGeneration');
  if (typeof observed === 'number' && observed < numberAt(plane, 'metadata', 'generation')) {
    return health('Progressing', 'Waiting for the control plane spec to be reconciled');
  }
  const faults = conditionsThatAre(plane, 'False').map((condition) => textAt(condition, 'message'));
  const told = faults.filter((message) => message !== '');
  if (told.length > 0) return health('Degraded', told.map((message) => `${message} `).join(''));
  if (hasCondition(plane, 'EKSControlPlaneUpdating')) return health('Progressing', 'EKS control plane is updating');
  if (at(plane, 'status', 'ready') !== true) {
    return health('Progressing', 'Control plane is not ready (.status.ready is false)');
  }
  return hasCondition(plane, 'Ready')
    ? health('Healthy', 'Control plane is ready')
    : health('Progressing', 'Control plane is not ready');
}

const conditionsThatAre = (object: KubeObject, status: string): readonly Json[] =>
  listAt(object, 'status', 'conditions').filter((condition) => textAt(condition, 'status') === status);

const hasCondition = (object: KubeObject, type: string): boolean =>
  conditionsThatAre(object, 'True').some((condition) => textAt(condition, 'type') === type);
