/** JavaScript rounds long integers: they are texts with this prefix until they are sent. */
const prefix = 'number ';

export const withHugeNumbers = (json: string): string =>
  json.replace(
    /(":\s*)(-?\d{16,})(?=\s*[,}\]])/gu,
    (_, before: string, digits: string) => `${before}"${prefix}${digits}"`,
  );

export const sentNumbers = (body: string): string => body.replace(/"number (-?\d{16,})"/gu, '$1');
