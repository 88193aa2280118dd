import { isObject, type Json } from '@fairlead/apimachinery';

/** Replaces `$name` in every text by the value of the Secret. An unknown name stays as it is. */
export function withSecrets(
  value: unknown,
  secrets: ReadonlyMap<string, Buffer>,
  missing: (name: string) => void,
): Json {
  const replaced = (text: string): string =>
    text.replaceAll(/[$][\w-]+/gu, (reference) => {
      const secret = secrets.get(reference.slice(1));
      if (!secret) missing(reference);
      return secret?.toString() ?? reference;
    });
  if (typeof value === 'string') return replaced(value);
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, secrets, missing));
  if (!isObject(value)) return typeof value === 'number' || typeof value === 'boolean' ? value : null;
  const entries = Object.entries(value).map(([key, item]) => [replaced(key), withSecrets(item, secrets, missing)]);
  return Object.fromEntries(entries);
}
