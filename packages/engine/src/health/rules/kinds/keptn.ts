import { degraded, field, healthy, present, progressing, type Rule } from '../rule.ts';
import type { Rules } from '../rule-table.ts';

const finished = (path: string): Rule => [
  healthy('{kind} is healthy', field(path, 'Succeeded')),
  degraded('{kind} is degraded', field(path, 'Failed')),
  progressing('{kind} is progressing'),
];

export const keptn: Rules = {
  'lifecycle.keptn.sh/KeptnAppVersion': finished('status.status'),
  'lifecycle.keptn.sh/KeptnEvaluation': finished('status.overallStatus'),
  'lifecycle.keptn.sh/KeptnTask': finished('status.status'),
  'lifecycle.keptn.sh/KeptnWorkloadInstance': finished('status.status'),
  'lifecycle.keptn.sh/KeptnWorkloadVersion': finished('status.status'),
  'metrics.keptn.sh/Analysis': [
    healthy('Analysis is healthy with warnings', field('status.state', 'Completed'), field('status.warning', true)),
    healthy('Analysis is healthy', field('status.state', 'Completed'), field('status.pass', true)),
    degraded('Analysis is degraded', field('status.state', 'Completed')),
    progressing('Analysis is progressing'),
  ],
  'metrics.keptn.sh/KeptnMetric': [
    degraded('KeptnMetric is degraded', present('status.errMsg')),
    healthy('KeptnMetric is healthy', present('status.value')),
    progressing('KeptnMetric is progressing'),
  ],
};
