import { controller, notifications, notSupported, type Settings } from '../setting.ts';

const queues = 'the number of workers is fixed, and Applications take turns by project';
const selfHeal = 'self-heal has a fixed back-off: at once, then after 2, 6, 18, 54, 162 and 300 s';
const inProcess = 'the source hydrator is part of the controller: there is no commit server';
const labels = 'these metrics have fixed labels';
const batches = 'how events of a cluster are handled cannot be configured';

/** Keys of the application controller and the notifications controller that have no effect. */
export const unsupportedControllerSettings = {
  'controller.status.processors': notSupported('number', '20', controller, queues),
  'controller.operation.processors': notSupported('number', '10', controller, queues),
  'controller.hydration.processors': notSupported('number', '5', controller, 'every branch is written independently'),
  'commit.server': notSupported('text', 'argocd-commit-server:8086', controller, inProcess),
  'controller.metrics.cache.expiration': notSupported(
    'duration',
    '24h0m0s',
    controller,
    'the metrics of an Application are removed when it is deleted',
  ),
  'controller.metrics.application.labels': notSupported('list', '', controller, labels),
  'controller.metrics.application.conditions': notSupported('list', '', controller, labels),
  'controller.metrics.cluster.labels': notSupported('list', '', controller, labels),
  'controller.self.heal.timeout.seconds': notSupported('seconds', '0', controller, selfHeal),
  'controller.self.heal.backoff.timeout.seconds': notSupported('seconds', '2', controller, selfHeal),
  'controller.self.heal.backoff.factor': notSupported('number', '3', controller, selfHeal),
  'controller.self.heal.backoff.cap.seconds': notSupported('seconds', '300', controller, selfHeal),
  'controller.self.heal.backoff.cooldown.seconds': notSupported('seconds', '330', controller, selfHeal),
  'controller.resource.health.persist': notSupported(
    'boolean',
    'true',
    controller,
    'the health of resources is always in the status of the Application',
  ),
  'controller.sharding.algorithm': notSupported(
    'text',
    'legacy',
    controller,
    'every name is accepted: controllers share Applications, and not clusters, by rendezvous hashing',
  ),
  'controller.kubectl.parallelism.limit': notSupported('number', '20', controller, 'no program is started for a sync'),
  'controller.repo.error.grace.period.seconds': notSupported(
    'seconds',
    '180',
    controller,
    'an error of a source is shown when it occurs',
  ),
  'controller.cluster.cache.batch.events.processing': notSupported('boolean', 'true', controller, batches),
  'controller.cluster.cache.events.processing.interval': notSupported('duration', '100ms', controller, batches),
  'log.format.timestamp': notSupported('text', '', controller, 'times in logs are those of RFC 3339'),
  'notificationscontroller.processors.count': notSupported(
    'number',
    '1',
    notifications,
    'every receiver has a separate queue, so that none waits for another',
  ),
} as const satisfies Settings;
