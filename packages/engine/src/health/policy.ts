import { type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from './health.ts';

/** A budget of a single replica never allows a disruption: that is not a problem. */
export function disruptionBudgetHealth(budget: KubeObject): Health {
  let result = health('Progressing', 'Waiting for status');
  for (const condition of listAt(budget, 'status', 'conditions')) {
    const reason = textAt(condition, 'reason');
    const message = `PodDisruptionBudget has ${reason}`;
    if (textAt(condition, 'status') === 'False' && reason !== 'InsufficientPods') return health('Degraded', message);
    result = health('Healthy', message);
  }
  return result;
}
