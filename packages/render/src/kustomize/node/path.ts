/** Splits a path at its delimiter; one that follows a backslash is part of a name. */
export function splitPath(path: string, delimiter: string): string[] {
  let parts = path.split(delimiter);
  if (parts.length > 1 && parts[0] === '') parts = parts.slice(1);
  const names = [parts[0]!];
  for (const part of parts.slice(1)) {
    const last = names.length - 1;
    if (names[last]!.endsWith('\\')) names[last] = names[last]!.slice(0, -1) + delimiter + part;
    else names.push(part);
  }
  return names;
}

/** Splits `a.[name=b.c].d` and `a.[b.c].d`, where delimiters stand inside of brackets. */
export function splitBracketedPath(path: string, delimiter: string): string[] {
  const parts = splitPath(path, delimiter);
  const names: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (!part.startsWith('[') || part.endsWith(']')) {
      names.push(part);
      continue;
    }
    const bracketed = [part];
    while (i < parts.length - 1) {
      i++;
      bracketed.push(parts[i]!);
      if (parts[i]!.endsWith(']')) break;
    }
    const joined = bracketed.join(delimiter);
    names.push(joined.includes('=') ? joined : joined.replace(/^[[\]]+|[[\]]+$/gu, ''));
  }
  return names;
}

export const isListIndex = (part: string): boolean => part.startsWith('[') && part.endsWith(']');
export const isNumber = (part: string): boolean => /^[+-]?\d+$/u.test(part);
export const isIndexNumber = (part: string): boolean => /^(?:\+?\d+|-0+)$/u.test(part);
