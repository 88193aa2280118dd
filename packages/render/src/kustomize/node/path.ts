/** Splits a path at its delimiter. A delimiter after a backslash is part of a name. */
export function splitPath(path: string, delimiter: string): string[] {
  let parts = path.split(delimiter);
  if (parts.length > 1 && parts[0] === '') parts = parts.slice(1);
  const names: string[] = [];
  for (const part of parts) {
    const last = names.at(-1);
    if (last?.endsWith('\\')) names[names.length - 1] = last.slice(0, -1) + delimiter + part;
    else names.push(part);
  }
  return names;
}

/** Splits paths such as `a.[name=b.c].d` and `a.[b.c].d`, in which delimiters inside brackets do not count. */
export function splitBracketedPath(path: string, delimiter: string): string[] {
  const names: string[] = [];
  const parts = splitPath(path, delimiter).values();
  for (const part of parts) {
    if (!part.startsWith('[') || part.endsWith(']')) {
      names.push(part);
      continue;
    }
    let joined = part;
    for (let next = parts.next(); !next.done; next = parts.next()) {
      joined += delimiter + next.value;
      if (next.value.endsWith(']')) break;
    }
    names.push(joined.includes('=') ? joined : joined.replace(/^[[\]]+|[[\]]+$/gu, ''));
  }
  return names;
}

export const isListIndex = (part: string): boolean => part.startsWith('[') && part.endsWith(']');
export const isNumber = (part: string): boolean => /^[+-]?\d+$/u.test(part);
export const isIndexNumber = (part: string): boolean => /^(?:\+?\d+|-0+)$/u.test(part);
