import { apiVersionOf, type KubeObject, type ResourceType } from '@fairlead/apimachinery';

/** An object in an answer of the API server: without its kind. */
export type Message = Omit<KubeObject, 'apiVersion' | 'kind'>;

/** The object of a message, as the Kubernetes API answers it. */
export function fromMessage<T extends KubeObject>(type: ResourceType, message: Message): T {
  const object: T = JSON.parse(JSON.stringify({ apiVersion: apiVersionOf(type), kind: type.kind, ...message }));
  return object;
}
