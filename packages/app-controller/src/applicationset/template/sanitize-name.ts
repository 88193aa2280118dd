const maxNameLength = 253;

/** A text as the name of an object: lower case, other characters than `a-z0-9.-` become `-`. The template function `normalize`. */
export function sanitizeName(text: string): string {
  const name = text.toLowerCase().replace(/[^-a-z0-9.]/gu, '-');
  return name.slice(0, maxNameLength).replace(/^[-.]+|[-.]+$/gu, '');
}
