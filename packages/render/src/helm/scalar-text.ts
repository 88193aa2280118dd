import { formatFloat } from '../go-json/index.ts';

/**
 * The text of a YAML scalar in a field that is a string in Go. sigs.k8s.io/yaml converts numbers and booleans, so `version: 1.0` reads as
 * `1` and `name: off` as `false`. Undefined if the value is a list or a map.
 */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return Number.isInteger(value) ? String(value) : formatFloat(value, 32);
    default:
      return undefined;
  }
}
