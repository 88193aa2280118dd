/** An authentication scheme that a server offers. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Reads a `WWW-Authenticate` header: `Bearer realm="…",service="…"`, several schemes one after another. */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  const token =
    /\s*,?\s*(?:([A-Za-z][\w.~+-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([A-Za-z][\w.~+-]*)(?=\s|$|,))/uy;
  for (let match = token.exec(header); match; match = token.exec(header)) {
    const [, name, quoted, plain, scheme] = match;
    const last = challenges.at(-1);
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: {} });
    else if (!last) return [];
    else if (name !== undefined)
      last.parameters[name.toLowerCase()] ??= quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain ?? '';
  }
  return challenges;
}
