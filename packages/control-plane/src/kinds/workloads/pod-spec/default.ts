import { roundUp, roundUpToMilli } from '../resources/resource-list.ts';
import { defaultContainer } from './default-container.ts';
import { defaultVolume } from './default-volume.ts';
import type { PodSpec, PodTemplateSpec, TemplateMeta } from './types.ts';
import { everyContainer } from './visit.ts';

/** Defaults of a pod spec wherever it stands: in a pod or in a template. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  mirrorServiceAccount(spec);
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of everyContainer(spec)) defaultContainer(container);
  roundUpToMilli(spec.overhead);
  if (spec.resources) roundUp(spec.resources);
}

export function defaultTemplate(template: PodTemplateSpec): void {
  template.metadata ??= {};
  dropInitContainerAnnotations(template.metadata);
  template.spec ??= {};
  defaultPodSpec(template.spec);
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are always shown. */
export function mirrorServiceAccount(spec: PodSpec): void {
  spec.serviceAccountName ||= spec.serviceAccount ?? '';
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  }
}

/** Annotations from the time before init containers were a field; servers drop them. */
export function dropInitContainerAnnotations(metadata: Pick<TemplateMeta, 'annotations'>): void {
  for (const stage of ['alpha', 'beta']) {
    for (const name of ['init-containers', 'init-container-statuses']) {
      delete metadata.annotations?.[`pod.${stage}.kubernetes.io/${name}`];
    }
  }
  if (metadata.annotations && Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
}
