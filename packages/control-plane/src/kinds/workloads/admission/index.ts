import type { PodFields } from '@fairlead/apimachinery/fields';
import type { KindRules, RuleContext } from '../../../resource.ts';
import { podOf } from '../pod/pod.ts';
import { qosClass } from '../pod/qos.ts';
import { defaultTolerations } from './default-tolerations.ts';
import { limitDefaults, verifyLimits } from './limit-ranger.ts';
import { podSecurity } from './pod-security/index.ts';
import { priority } from './priority.ts';
import { runtimeClass, verifyRuntimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account.ts';
import { copyTopologyLabels } from './topology-labels.ts';

export type Plugin = (draft: PodFields, old: PodFields | undefined, context: RuleContext) => void;

const inOrder =
  (plugins: readonly Plugin[]): Plugin =>
  (draft, old, context) => {
    for (const plugin of plugins) plugin(draft, old, context);
  };

/** Admission may have changed the requests, and with them the QoS class. */
const setQosClass: Plugin = (draft, old) => {
  const pod = podOf(draft);
  if (!old) pod.status.qosClass = qosClass(pod.spec);
};

/** The plugins that are on by default, in their order. Quota applies to any kind and is last: see `quotaAdmission`. */
export function podAdmission(options: { serviceAccount: boolean }): Required<Pick<KindRules, 'admit' | 'verify'>> {
  return {
    admit: inOrder([
      limitDefaults,
      ...(options.serviceAccount ? [serviceAccount] : []),
      priority,
      defaultTolerations,
      runtimeClass,
      copyTopologyLabels,
      setQosClass,
    ]),
    verify: inOrder([verifyLimits, podSecurity, verifyRuntimeClass]),
  };
}
