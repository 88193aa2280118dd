import {
  ApiError,
  apiVersionOf,
  isNotFound,
  type KubeObject,
  messageOf,
  podType,
  type ResourceType,
  uidOf,
} from '@fairlead/apimachinery';
import type { RecordEvent } from '../parts.ts';
import type { Pod, PodTemplate } from './kinds.ts';
import type { Writer } from './own-writes.ts';
import { controllerReference } from './owners.ts';

const longestName = 253;

/** A pod from the template of its controller, without a name. */
export function podFromTemplate(template: PodTemplate, type: ResourceType, owner: KubeObject): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const prefix = `${owner.metadata.name}-`;
  return {
    apiVersion: apiVersionOf(podType),
    kind: podType.kind,
    metadata: {
      // The server generates it from the prefix.
      name: '',
      generateName: prefix.length <= longestName ? prefix : owner.metadata.name,
      namespace: owner.metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [controllerReference(type, owner)],
    },
    spec: template.spec,
  };
}

/** Creates and deletes pods for their controllers, and records events about the owner. */
export class PodMaker {
  readonly #client: Writer;
  readonly #record: RecordEvent;

  constructor(client: Writer, record: RecordEvent) {
    this.#client = client;
    this.#record = record;
  }

  /** Nothing can be created in a terminating namespace: then there is no pod, and nothing to report. */
  async create(owner: KubeObject, pod: Pod): Promise<Pod | undefined> {
    try {
      const created = await this.#client.create(podType, pod);
      this.#record(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (isNamespaceGoing(error)) return undefined;
      this.#record(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
  }

  /** A missing pod counts as deleted. */
  async delete(owner: KubeObject, pod: Pod): Promise<void> {
    try {
      await this.#client.delete(podType, pod.metadata, { preconditions: { uid: uidOf(pod) } });
      this.#record(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    } catch (error) {
      if (isNotFound(error)) return;
      this.#record(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
  }
}

export const isNamespaceGoing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
