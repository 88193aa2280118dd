import {
  compare,
  condition,
  degraded,
  every,
  field,
  healthy,
  not,
  present,
  progressing,
  type Rule,
  some,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byWord } from '../shapes.ts';

const strimzi = (name: string): Rule => [
  degraded('{it.message}', condition('NotReady', 'True')),
  healthy('{it.message}', condition('Ready', 'True')),
  progressing(`Waiting for ${name}`),
];

const confluent: Rule = [
  ...byWord('status.phase', '{kind} {lower:status.phase}', {
    Healthy: ['RUNNING'],
    Degraded: ['FAILED', 'ERROR', 'DEGRADED'],
    Progressing: ['PROVISIONING'],
  }),
  progressing('Waiting for {kind}'),
];

const running = field('status.state', 'ClusterRunning');
const cruiseControlReady = field('status.cruiseControlTopicStatus', 'CruiseControlTopicReady');
const brokersInSync = every(
  'status.brokersState',
  field('configurationState', 'ConfigInSync'),
  field(
    'gracefulActionState.cruiseControlState',
    'GracefulUpscaleSucceeded',
    'GracefulDownscaleSucceeded',
    'GracefulUpscaleRequired',
  ),
);

const koperatorObject: Rule = [
  healthy('{kind} is created', field('status.state', 'created')),
  progressing('Waiting for {kind}'),
];

export const kafka: Rules = {
  'kafka.strimzi.io/Kafka': strimzi('Kafka Cluster'),
  'kafka.strimzi.io/KafkaBridge': strimzi('KafkaBridge'),
  'kafka.strimzi.io/KafkaConnect': strimzi('Kafka Connect'),
  'kafka.strimzi.io/KafkaConnector': strimzi('KafkaConnector'),
  'kafka.strimzi.io/KafkaMirrorMaker2': strimzi('Kafka MirrorMaker2'),
  'kafka.strimzi.io/KafkaTopic': strimzi('Kafka Topic'),
  'kafka.strimzi.io/KafkaUser': strimzi('Kafka User'),
  'kafka.banzaicloud.io/KafkaCluster': [
    progressing('Kafka Cluster is Reconciling.', field('status.state', 'ClusterReconciling')),
    progressing('Kafka Cluster is Rolling Upgrading.', field('status.state', 'ClusterRollingUpgrading')),
    healthy(
      'Kafka Brokers, CruiseControl and cluster are in Healthy State.',
      running,
      cruiseControlReady,
      brokersInSync,
    ),
    degraded(
      'Broker Config is out of Sync or CruiseControlState is not Ready',
      running,
      cruiseControlReady,
      not(brokersInSync),
    ),
    progressing('Waiting for KafkaCluster'),
  ],
  'kafka.banzaicloud.io/KafkaTopic': koperatorObject,
  'kafka.banzaicloud.io/KafkaUser': koperatorObject,
  'platform.confluent.io/Connect': confluent,
  'platform.confluent.io/ControlCenter': confluent,
  'platform.confluent.io/Kafka': confluent,
  'platform.confluent.io/KafkaRestProxy': confluent,
  'platform.confluent.io/KRaftController': confluent,
  'platform.confluent.io/KsqlDB': confluent,
  'platform.confluent.io/SchemaRegistry': confluent,
  'platform.confluent.io/Zookeeper': confluent,
  'platform.confluent.io/Connector': [
    healthy(
      'Connector running',
      field('status.state', 'CREATED'),
      field('status.connectorState', 'RUNNING'),
      not(present('status.failedTasksCount')),
    ),
    degraded('{it.message}', field('status.state', 'ERROR'), some('status.conditions')),
    degraded('No conditions available', field('status.state', 'ERROR')),
    degraded('Connector has failed tasks', compare('status.failedTasksCount', '>', 0)),
    progressing('Waiting for Kafka Connector'),
  ],
};
