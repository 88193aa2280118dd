import { formatTime, type JsonObject, schemaOf } from '@fairlead/apimachinery';
import { refuse } from '../errors.ts';
import { topologyLabelsOf } from '../kinds/workloads/index.ts';
import type { Draft, ReviewResource } from '../resource.ts';
import type { Api, WriteRequest, Written } from './api.ts';
import { updateObject } from './update.ts';

interface Binding {
  metadata?: { annotations?: Record<string, string> };
  target?: { kind?: string; name?: string };
}

/** What a scheduler does: gives a pod its node, once. */
export function bindPod(api: Api, request: WriteRequest, binding: Draft): Written {
  const { target, metadata } = binding as unknown as Binding;
  if (!target?.name) throw refuse.badRequest('target.name: Required value');
  return updateObject(
    api,
    { ...request, subresource: 'binding' },
    {
      trusted: true,
      transform(old) {
        const pod = old as Draft;
        const spec = pod['spec'] as JsonObject;
        if (spec['nodeName']) {
          throw refuse.conflict(
            request.resource,
            request.name,
            `pod ${request.name} is already assigned to node "${spec['nodeName']}"`,
          );
        }
        if (pod.metadata.deletionTimestamp) {
          throw refuse.conflict(
            request.resource,
            request.name,
            `pod ${request.name} is being deleted, cannot be assigned to a host`,
          );
        }
        spec['nodeName'] = target.name!;
        if (metadata?.annotations) pod.metadata.annotations = { ...pod.metadata.annotations, ...metadata.annotations };
        addTopology(api, pod, target.name!);
        setScheduled(pod, formatTime(api.clock.now()));
        return pod;
      },
    },
  );
}

/** A bound pod carries where its node is, so that it can read it of itself. */
function addTopology(api: Api, pod: Draft, node: string): void {
  const labels = topologyLabelsOf(node, { get: (...at) => api.storage.head(...at)?.object });
  if (Object.keys(labels).length > 0) pod.metadata.labels = { ...pod.metadata.labels, ...labels };
}

function setScheduled(pod: Draft, now: string): void {
  const status = (pod['status'] ??= {}) as { conditions?: JsonObject[]; nominatedNodeName?: string };
  delete status.nominatedNodeName;
  const others = (status.conditions ?? []).filter((condition) => condition['type'] !== 'PodScheduled');
  status.conditions = [
    ...others,
    { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now },
  ];
}

/** `POST …/bindings`: the older way to bind, which names the pod in the binding itself. */
export function bindings(api: () => Api): ReviewResource {
  return {
    group: '',
    version: 'v1',
    kind: 'Binding',
    plural: 'bindings',
    namespaced: true,
    schema: schemaOf('', 'v1', 'Binding')!,
    create(draft, context) {
      const { storage, registry } = api();
      const resource = registry.stored('core/pods')!;
      const name = draft.metadata.name;
      if (!(draft['target'] as { name?: string } | undefined)?.name) {
        throw refuse.badRequest('target.name: Required value');
      }
      if (!storage.head(resource.storage, context.namespace, name)) throw refuse.notFound(resource, name);
      bindPod(
        api(),
        {
          resource,
          namespace: context.namespace,
          name,
          subresource: 'binding',
          user: context.user,
          manager: 'binding',
          dryRun: context.dryRun,
          warn: (message) => context.warn(message),
        },
        draft,
      );
      return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as unknown as Draft;
    },
  };
}
