import { GoMap } from '@fairlead/render/go-template';

/** What Go's JSON decoder says of a value that does not fit its type. */
export const cannotUnmarshal = (value: unknown, type: string): string =>
  `json: cannot unmarshal ${kindOf(value)} into Go value of type ${type}`;

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value instanceof GoMap) return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
