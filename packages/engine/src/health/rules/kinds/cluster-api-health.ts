import { at, type Json, type KubeObject, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { type Health, type HealthStatus, health } from '../../health.ts';

const poolPhases = new Map<string, HealthStatus>([
  ['Running', 'Healthy'],
  ['Scaling', 'Healthy'],
  ['Failed', 'Degraded'],
  ['Unknown', 'Degraded'],
]);

/** The phase, and each condition that degrades it. */
export function machinePool(pool: KubeObject): Health {
  const phase = textAt(pool, 'status', 'phase');
  const status = poolPhases.get(phase) ?? 'Progressing';
  const missing = conditionsThatAre(pool, 'False').map((condition) => {
    const reason = textAt(condition, 'reason');
    return `Not ${textAt(condition, 'type')}${reason === '' ? '' : ` (${reason})`}`;
  });
  const because = missing.length === 0 ? '' : `: ${missing.join(', ')}`;
  return health(status, `${phase === '' ? '' : `MachinePool is ${phase}`}${because}`);
}

/** A condition that is False is an error only with severity Error; otherwise it is an unfinished step. */
export function awsControlPlane(plane: KubeObject): Health {
  const observed = at(plane, 'status', 'observedGeneration');
  if (typeof observed === 'number' && observed !== numberAt(plane, 'metadata', 'generation'))
    return health('Progressing', 'Waiting for the control plane spec to be reconciled');
  const failure = textAt(plane, 'status', 'failureMessage');
  if (failure !== '') return health('Degraded', failure);
  if (at(plane, 'status', 'conditions') === undefined) return health('Progressing', 'Provisioning...');
  if (hasCondition(plane, 'EKSControlPlaneUpdating')) return health('Progressing', 'EKS control plane is updating');
  if (hasCondition(plane, 'Ready')) return health('Healthy', 'Control plane is ready');
  const faults = conditionsThatAre(plane, 'False').filter((condition) => textAt(condition, 'severity') === 'Error');
  if (faults.length > 0)
    return health('Degraded', faults.map((condition) => `${textAt(condition, 'message')} `).join(''));
  return at(plane, 'status', 'ready') === false
    ? health('Progressing', 'Control plane is not ready (.status.ready is false)')
    : health('Progressing', 'Control plane is not ready');
}

const conditionsThatAre = (object: KubeObject, status: string): readonly Json[] =>
  listAt(object, 'status', 'conditions').filter((condition) => textAt(condition, 'status') === status);

const hasCondition = (object: KubeObject, type: string): boolean =>
  conditionsThatAre(object, 'True').some((condition) => textAt(condition, 'type') === type);
