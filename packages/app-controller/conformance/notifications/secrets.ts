export const withBuffers = (secret: Readonly<Record<string, string>>): Map<string, Buffer> =>
  new Map(Object.entries(secret).map(([key, value]) => [key, Buffer.from(value)]));
