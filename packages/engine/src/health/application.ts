import { type KubeObject, textAt } from '@fairlead/apimachinery';
import { type Health, health, healthOrder } from './health.ts';

/** An Application among the objects of another one is as well as it says; one that was not looked at yet is on its way. */
export function applicationHealth(application: KubeObject): Health {
  const status = healthOrder.find((known) => known === textAt(application, 'status', 'health', 'status'));
  return status ? health(status, textAt(application, 'status', 'health', 'message')) : health('Progressing');
}
