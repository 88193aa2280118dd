import { compare, field, not, present, progressing, type Rule, unknown } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byColour, byWordSaying } from '../shapes.ts';

const unknownSaying = (what: string) =>
  unknown(
    `${what} status is unknown. Ensure your ArgoCD is current and then check for/file a bug report: https://github.com/argoproj/argo-cd/issues`,
  );

const coloured: Rule = [
  ...byColour('status.health', '{kind} status is Green', '{kind} status is Yellow', '{kind} status is Red'),
  progressing('Waiting for {kind}'),
];

export const elastic: Rules = {
  'beat.k8s.elastic.co/Beat': [
    progressing(
      'Elastic Beat status is deploying, there is {status.availableNodes} instance(s) on {status.expectedNodes} expected',
      field('status.health', 'yellow'),
      present('status.availableNodes'),
      compare('status.availableNodes', '<', 'status.expectedNodes'),
    ),
    ...byColour(
      'status.health',
      'Elastic Beat status is Green',
      'Elastic Beat phase is progressing',
      'Elastic Beat status is Red',
    ),
    progressing('Elastic Beat phase is progressing', present('status'), not(present('status.health'))),
    unknownSaying('Elastic Beat'),
  ],
  'elasticsearch.k8s.elastic.co/Elasticsearch': [
    ...byWordSaying('status.phase', {
      ApplyingChanges: ['Progressing', 'Elasticsearch phase is ApplyingChanges'],
      MigratingData: ['Progressing', 'Elasticsearch phase is MigratingData'],
      Stalled: ['Degraded', 'Elasticsearch phase is Stalled'],
      Invalid: ['Degraded', 'Elasticsearch phase is Invalid'],
    }),
    progressing(
      'The desired amount of availableNodes is {sum:spec.nodeSets[*].count} but the current amount is {status.availableNodes}',
      field('status.phase', 'Ready'),
      compare('status.availableNodes', '<', 'sum:spec.nodeSets[*].count'),
    ),
    ...byColour(
      'status.health',
      'Elasticsearch Cluster status is Green',
      'Elasticsearch Cluster status is Yellow. Check the status of indices, replicas and shards',
      'Elasticsearch Cluster status is Red. Check the status of indices, replicas and shards',
    ),
    unknownSaying('Elasticsearch Cluster'),
  ],
  'agent.k8s.elastic.co/Agent': coloured,
  'apm.k8s.elastic.co/ApmServer': coloured,
  'enterprisesearch.k8s.elastic.co/EnterpriseSearch': coloured,
  'kibana.k8s.elastic.co/Kibana': coloured,
  'logstash.k8s.elastic.co/Logstash': coloured,
  'maps.k8s.elastic.co/ElasticMapsServer': coloured,
};
