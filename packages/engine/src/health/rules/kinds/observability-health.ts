import { type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { type Health, type HealthStatus, health } from '../../health.ts';

/** `Reason for Type because message`, condition after condition, up to the first that is False. */
export function grafanaConditions(object: KubeObject): Health {
  const reasons: string[] = [];
  let status: HealthStatus = 'Progressing';
  for (const condition of listAt(object, 'status', 'conditions')) {
    const [is, type, reason, message] = ['status', 'type', 'reason', 'message'].map((word) => textAt(condition, word));
    if (!is) continue;
    const because = message ? ` because ${message}` : '';
    reasons.push(reason ? `${reason}${type ? ` for ${type}${because}` : ''}` : '');
    if (is === 'False') return health('Degraded', reasons.join(', '));
    if (is === 'True') status = 'Healthy';
  }
  return health(status, reasons.join(', '));
}
