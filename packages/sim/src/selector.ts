import { type KubeObject, parseFieldSelector, parseLabelSelector } from '@fairlead/apimachinery';

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export type Match = (object: KubeObject) => boolean;

/** Field selectors support metadata.name and metadata.namespace only; other fields are refused with 400. */
const anyResource = { group: '', kind: '', namespaced: true } as const;

export function matcher({ namespace, labelSelector = '', fieldSelector = '' }: Selection): Match {
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector, anyResource);
  return (object) =>
    (!namespace || object.metadata.namespace === namespace) &&
    labels.matches(object.metadata.labels) &&
    fields.matches(object);
}
