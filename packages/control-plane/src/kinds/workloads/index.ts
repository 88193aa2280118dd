import type { KindRules } from '../../resource.ts';
import { type PodOwner, templateSecurity } from './admission/pod-security/index.ts';
import { controllerRevisionRules } from './controller-revision.ts';
import { cronJobRules } from './cron-job.ts';
import { daemonSetRules } from './daemon-set.ts';
import { deploymentRules } from './deployment.ts';
import { jobRules } from './job/rules.ts';
import { podRules } from './pod/rules.ts';
import { podTemplateRules } from './pod-template.ts';
import { replicaSetRules } from './replica-set.ts';
import { replicationControllerRules } from './replication-controller.ts';
import type { Settings } from './settings.ts';
import { statefulSetRules } from './stateful-set/rules.ts';

export { podAdmission } from './admission/index.ts';
export { policyLabels, warnOfPods } from './admission/pod-security/namespace.ts';
export { quotaAdmission } from './admission/resource-quota.ts';
export { topologyLabelsOf } from './admission/topology-labels.ts';

/** Kinds that create pods: their templates give the same warnings. */
const makesPods = (rules: KindRules): KindRules<PodOwner> => ({
  ...rules,
  verify: (draft, _old, context) => templateSecurity(draft, context),
});

/** Pods and the kinds that create them, by `apiVersion/Kind`. The admission plugins of pods are added by configuration: `podAdmission`. */
export const rulesOfWorkloads = (settings: Settings): Record<string, KindRules> => ({
  'v1/Pod': podRules(settings),
  'v1/PodTemplate': makesPods(podTemplateRules(settings)),
  'v1/ReplicationController': makesPods(replicationControllerRules(settings)),
  'apps/v1/Deployment': makesPods(deploymentRules(settings)),
  'apps/v1/ReplicaSet': makesPods(replicaSetRules(settings)),
  'apps/v1/StatefulSet': makesPods(statefulSetRules(settings)),
  'apps/v1/DaemonSet': makesPods(daemonSetRules(settings)),
  'apps/v1/ControllerRevision': controllerRevisionRules,
  'batch/v1/Job': makesPods(jobRules(settings)),
  'batch/v1/CronJob': makesPods(cronJobRules(settings)),
});
