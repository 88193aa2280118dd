import {
  atStart,
  controller,
  controllerAndServer,
  different,
  honoured,
  notifications,
  type Settings,
} from '../setting.ts';

/** Keys that the controller, the API server and the notifications controller read. */
export const commandSettings = {
  'application.namespaces': different(
    'list',
    '',
    ['controller', 'applicationset', 'notifications'],
    'other namespaces whose Applications are reconciled: globs and `/regular expressions/`',
    'the API server takes its namespaces from `--application-namespaces`',
  ),
  'hydrator.enabled': honoured(
    'boolean',
    'false',
    controller,
    'Applications with `sourceHydrator` are rendered to their branches',
  ),
  'controller.diff.server.side': honoured(
    'boolean',
    'false',
    controllerAndServer,
    'diffs are computed by the server, with a dry run',
  ),
  'controller.ignore.normalizer.jq.timeout': atStart(
    different(
      'duration',
      '1s',
      controllerAndServer,
      'the limit on one jq expression on one object',
      'it limits CPU time instead of elapsed time',
    ),
  ),
  'controller.repo.server.timeout.seconds': atStart(
    different(
      'seconds',
      '20',
      controller,
      'the limit on one render',
      'it limits CPU time instead of elapsed time; 20 instead of 60',
    ),
  ),
  'controller.sync.timeout.seconds': different(
    'seconds',
    '43200',
    controller,
    'the age at which a sync is terminated; 0 for never',
    '12 hours by default instead of never',
  ),
  'controller.sync.wave.delay.seconds': different(
    'seconds',
    '2',
    controller,
    'the delay between sync waves',
    'only waves with custom resources are followed by a delay',
  ),
  'notificationscontroller.selfservice.enabled': atStart(
    honoured(
      'boolean',
      'false',
      notifications,
      '`argocd-notifications-cm` in the namespace of an Application is used too',
    ),
  ),
} as const satisfies Settings;
