import { type KubeObject, textAt } from '@fairlead/apimachinery';
import { type Health, health, healthOrder } from './health.ts';

/** A child Application has the health of its status; one that was not reconciled yet is Progressing. */
export function applicationHealth(application: KubeObject): Health {
  const status = healthOrder.find((known) => known === textAt(application, 'status', 'health', 'status'));
  return status ? health(status, textAt(application, 'status', 'health', 'message')) : health('Progressing');
}
