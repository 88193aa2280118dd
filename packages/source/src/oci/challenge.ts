/** How a server wants to be told who asks. */
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
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: {} });
    else challenges.at(-1)!.parameters[name!.toLowerCase()] ??= quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain!;
    if (challenges.length === 0 && scheme === undefined) return [];
  }
  return challenges;
}
