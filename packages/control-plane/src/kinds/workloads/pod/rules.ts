import { dns1123Label } from '@fairlead/apimachinery';
import type { PodFields } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { addressWarnings } from '../../cluster/address.ts';
import { leniencyFor } from '../pod-spec/leniency.ts';
import { podWarnings } from '../pod-spec/warnings.ts';
import type { Settings } from '../settings.ts';
import { ephemeralContainersUpdate } from './ephemeral.ts';
import { type CompletePod, podOf } from './pod.ts';
import { preparePod, preparePodUpdate } from './prepare.ts';
import { podResize } from './resize.ts';
import { podStatusUpdate } from './status.ts';
import { podUpdate } from './update.ts';
import { newPod } from './validate.ts';

const hostnameAdvice =
  "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended:";

export const podRules = (settings: Settings): KindRules<PodFields> => ({
  metadataOnUpdate: ['update', 'create'],
  prepareCreate: preparePod,
  prepareUpdate: preparePodUpdate,
  validate: (draft, { operation }) =>
    operation === 'create' ? [...newPod(podOf(draft), { ...settings, isPod: true })] : [],
  validateUpdate(draft, oldDraft, { subresource }) {
    const [pod, old] = [podOf(draft), podOf(oldDraft)];
    const leniency = leniencyOf(old, settings);
    if (subresource === 'ephemeralcontainers') return [...ephemeralContainersUpdate(pod, old, leniency)];
    if (subresource === 'resize') return [...podResize(pod, old, leniency)];
    return [...podUpdate(pod, old, leniency)];
  },
  validateStatusUpdate(draft, oldDraft) {
    const [pod, old] = [podOf(draft), podOf(oldDraft)];
    return [...podStatusUpdate(pod, old, leniencyOf(old, settings))];
  },
  warnings(draft, old) {
    const pod = podOf(draft);
    if (old) return statusWarnings(pod, podOf(old));
    const messages = dns1123Label(pod.metadata.name);
    return [
      ...(messages.length > 0 ? [`${hostnameAdvice} [${messages.join(' ')}]`] : []),
      ...podWarnings(pod.spec, pod.metadata, ''),
    ];
  },
});

const leniencyOf = (old: CompletePod, settings: Settings) => ({
  ...leniencyFor(old.spec, old.metadata.annotations),
  ...settings,
  isPod: true,
});

/** Updates of the spec give no warnings: users rarely make them. Those of the status do, for addresses. */
function statusWarnings(pod: CompletePod, old: CompletePod): string[] {
  const warnings: string[] = [];
  for (const list of ['podIPs', 'hostIPs'] as const) {
    if (pod.status[list] === old.status[list]) continue;
    for (const [index, { ip }] of (pod.status[list] ?? []).entries()) {
      warnings.push(...addressWarnings(`status.${list}[${index}].ip`, ip ?? ''));
    }
  }
  return warnings;
}
