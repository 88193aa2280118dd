import { isObject, type JsonObject } from '@fairlead/apimachinery';

/** A message with fields that are given by path: `application.metadata.name`. */
export function messageWith(fields: Iterable<readonly [path: string, value: unknown]>): JsonObject {
  const message: JsonObject = {};
  for (const [path, value] of fields) setAt(message, path.split('.'), String(value));
  return message;
}

function setAt(target: JsonObject, [first = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    target[first] = typed(first, value);
    return;
  }
  const known = target[first];
  const child = isObject(known) ? known : {};
  target[first] = child;
  setAt(child, rest, value);
}

function typed(field: string, value: string): string | number | boolean {
  if (field === 'cascade') return value === 'true';
  return /^(?:id|iat)$/u.test(field) && /^\d+$/u.test(value) ? Number(value) : value;
}
