import { type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from './health.ts';

export function apiServiceHealth(object: KubeObject): Health {
  const available = listAt(object, 'status', 'conditions').find(
    (condition) => textAt(condition, 'type') === 'Available',
  );
  if (!available) return health('Progressing', 'Waiting to be processed');
  const message = `${textAt(available, 'reason')}: ${textAt(available, 'message')}`;
  return health(textAt(available, 'status') === 'True' ? 'Healthy' : 'Progressing', message);
}

export function crdHealth(crd: KubeObject): Health {
  if (crd.metadata.deletionTimestamp) return health('Progressing', 'CRD is terminating');
  const conditions = listAt(crd, 'status', 'conditions');
  if (conditions.length === 0) return health('Progressing', 'Status conditions not found');
  let established = false;
  for (const condition of conditions) {
    const [is, message] = [`${textAt(condition, 'type')}=${textAt(condition, 'status')}`, textAt(condition, 'message')];
    if (is === 'Terminating=True') return health('Progressing', `CRD is terminating: ${message}`);
    if (is === 'NamesAccepted=False') return health('Degraded', `CRD names have not been accepted: ${message}`);
    if (is === 'NonStructuralSchema=True') return health('Degraded', `Schema violations found: ${message}`);
    if (is === 'Established=True') established = true;
    else if (textAt(condition, 'type') === 'Established' && textAt(condition, 'reason') === 'Installing') {
      return health('Progressing', 'CRD is being installed');
    }
  }
  return established ? health('Healthy', 'CRD is healthy') : health('Degraded', 'CRD is not established');
}
