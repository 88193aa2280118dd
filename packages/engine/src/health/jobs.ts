import { at, type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from './health.ts';

export function jobHealth(job: KubeObject): Health {
  let [failed, ended, suspended] = [false, false, false];
  let [failure, message] = ['', ''];
  for (const condition of listAt(job, 'status', 'conditions')) {
    const text = textAt(condition, 'message');
    switch (textAt(condition, 'type')) {
      case 'Failed':
        [failed, ended, failure] = [true, true, text];
        break;
      case 'Complete':
        [ended, message] = [true, text];
        break;
      case 'Suspended':
        [ended, message] = [true, text];
        suspended ||= textAt(condition, 'status') === 'True';
    }
  }
  if (!ended) return health('Progressing', message);
  if (failed) return health('Degraded', failure);
  return health(suspended ? 'Suspended' : 'Healthy', message);
}

/** A CronJob that is suspended, never ran or is running counts as Healthy: whether it would work is unknown, and it blocks nothing. */
export function cronJobHealth(cronJob: KubeObject): Health {
  if (at(cronJob, 'spec', 'suspend') === true) return health('Healthy', 'CronJob is Suspended');
  if (at(cronJob, 'status') === undefined) return health('Progressing', 'Waiting for CronJob');
  const scheduled = textAt(cronJob, 'status', 'lastScheduleTime');
  const succeeded = textAt(cronJob, 'status', 'lastSuccessfulTime');
  if (scheduled === '') return health('Healthy', 'CronJob has not been scheduled yet');
  if (succeeded === '') {
    return health('Healthy', 'The CronJob never completed successfully. It may not be healthy');
  }
  if (listAt(cronJob, 'status', 'active').length > 0) {
    return health('Healthy', 'The job is running. Its last execution may not have been successful');
  }
  return succeeded < scheduled
    ? health('Degraded', 'CronJob has not completed its last execution successfully')
    : health('Healthy', 'CronJob has completed its last execution successfully');
}
