import { formatTime, listAt, must, objectAt, textAt } from '@fairlead/apimachinery';
import { builtinSchema } from '../builtin-schema.ts';
import { refuse } from '../errors.ts';
import { topologyLabelsOf } from '../kinds/workloads/index.ts';
import type { Draft, ReviewResource } from '../resource.ts';
import type { Api, WriteRequest, Written } from './api.ts';
import { updateObject } from './update.ts';

/** The binding of a scheduler: sets the node of a pod, once. */
export function bindPod(api: Api, request: WriteRequest, binding: Draft): Written {
  const node = textAt(binding, 'target', 'name');
  const { annotations } = binding.metadata ?? {};
  if (!node) throw refuse.badRequest('target.name: Required value');
  return updateObject(
    api,
    { ...request, subresource: 'binding' },
    {
      trusted: true,
      transform(pod) {
        const spec = must(objectAt(pod, 'spec'), 'spec of a pod');
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
        spec['nodeName'] = node;
        if (annotations) pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
        addTopology(api, pod, node);
        setScheduled(pod, formatTime(api.clock.now()));
        return pod;
      },
    },
  );
}

/** A bound pod gets the topology labels of its node, so that it can read them itself. */
function addTopology(api: Api, pod: Draft, node: string): void {
  const labels = topologyLabelsOf(node, { get: (...at) => api.storage.head(...at)?.object });
  if (Object.keys(labels).length > 0) pod.metadata.labels = { ...pod.metadata.labels, ...labels };
}

function setScheduled(pod: Draft, now: string): void {
  const { nominatedNodeName: _, ...status } = objectAt(pod, 'status') ?? {};
  const others = listAt(status, 'conditions').filter((condition) => textAt(condition, 'type') !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  pod['status'] = { ...status, conditions: [...others, scheduled] };
}

/** `POST …/bindings`: the older way to bind, with the name of the pod in the binding itself. */
export function bindings(api: () => Api): ReviewResource {
  return {
    group: '',
    version: 'v1',
    kind: 'Binding',
    plural: 'bindings',
    namespaced: true,
    schema: builtinSchema('', 'v1', 'Binding'),
    create(draft, context) {
      const { storage, registry } = api();
      const resource = must(registry.stored('core/pods'), 'core/pods');
      const name = draft.metadata.name;
      if (!textAt(draft, 'target', 'name')) throw refuse.badRequest('target.name: Required value');
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
      return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
    },
  };
}
