import type { ContainerFields, PodSpecFields, PodTemplateSpec, TemplateMeta } from '../fields/pod-spec.ts';
import { roundUpRequirements, roundUpToMilli } from '../resources/resource-list.ts';
import { defaultContainer } from './containers.ts';
import { defaultVolume } from './volumes.ts';

/** The defaults of a pod spec, in a pod and in a template. */
export function defaultPodSpec(spec: PodSpecFields): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  mirrorServiceAccount(spec);
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of everyContainer(spec)) defaultContainer(container);
  roundUpToMilli(spec.overhead);
  if (spec.resources) roundUpRequirements(spec.resources);
}

function* everyContainer(spec: PodSpecFields): Generator<ContainerFields> {
  yield* spec.initContainers ?? [];
  yield* spec.containers ?? [];
  yield* spec.ephemeralContainers ?? [];
}

export function defaultTemplate(template: PodTemplateSpec): void {
  template.metadata ??= {};
  dropInitContainerAnnotations(template.metadata);
  template.spec ??= {};
  defaultPodSpec(template.spec);
}

/** `serviceAccount` is the old name of `serviceAccountName`; a server writes both. */
export function mirrorServiceAccount(spec: PodSpecFields): void {
  spec.serviceAccountName ||= spec.serviceAccount ?? '';
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  }
}

/** Annotations that held init containers before there was a field; a server drops them. */
export function dropInitContainerAnnotations(metadata: Pick<TemplateMeta, 'annotations'>): void {
  for (const stage of ['alpha', 'beta']) {
    for (const name of ['init-containers', 'init-container-statuses']) {
      delete metadata.annotations?.[`pod.${stage}.kubernetes.io/${name}`];
    }
  }
  if (metadata.annotations && Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
}
