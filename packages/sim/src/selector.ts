import { apiError, type KubeObject } from '@fairlead/apimachinery';

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export type Match = (object: KubeObject) => boolean;

/** Equality selectors on labels, metadata.name and metadata.namespace; anything else is refused, never guessed at. */
export function matcher(selection: Selection): Match {
  const labels = (selection.labelSelector ?? '').split(',').filter(Boolean).map(labelMatch);
  const fields = (selection.fieldSelector ?? '').split(',').filter(Boolean).map(fieldMatch);
  const { namespace } = selection;
  return (object) =>
    (!namespace || object.metadata.namespace === namespace) &&
    labels.every((match) => match(object)) &&
    fields.every((match) => match(object));
}

function labelMatch(text: string): Match {
  const [, name, operator, value = ''] = /^([\w./-]+)(==?|!=)?([\w.-]*)$/.exec(text) ?? [];
  if (!name) throw apiError(400, 'BadRequest', `unable to parse requirement: ${text}`);
  if (!operator) return (object) => object.metadata.labels?.[name] !== undefined;
  return (object) => (object.metadata.labels?.[name] === value) === (operator !== '!=');
}

function fieldMatch(text: string): Match {
  const [, field, operator, value] = /^metadata\.(name|namespace)(==?|!=)(.*)$/.exec(text) ?? [];
  if (!field) throw apiError(400, 'BadRequest', `field label not supported: ${text}`);
  return (object) => (object.metadata[field as 'name' | 'namespace'] === value) === (operator !== '!=');
}
