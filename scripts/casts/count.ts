import { type Token, tokensOf } from '../layers/tokens.ts';

/** How often a file asserts a type instead of proving it. */
export interface Assertions {
  /** `value as T`, without `as const`. `value as unknown as T` counts once. */
  readonly casts: number;
  /** `value as unknown as T`. */
  readonly throughUnknown: number;
  /** `value!`. */
  readonly nonNull: number;
}

export function countAssertions(source: string): Assertions {
  const tokens = withoutClauses(tokensOf(source));
  let [casts, throughUnknown, nonNull] = [0, 0, 0];
  for (const [i, token] of tokens.entries()) {
    const [before, next, second] = [tokens[i - 1], tokens[i + 1], tokens[i + 2]];
    if (token.kind === 'word' && token.text === 'as' && endsValue(before) && next && next.text !== 'const') {
      const isUnknown = next.text === 'unknown' && second?.text === 'as';
      if (isUnknown) throughUnknown += 1;
      else casts += 1;
    }
    if (token.kind === 'punctuation' && token.text === '!' && endsValue(before) && next?.text !== '=') nonNull += 1;
  }
  return { casts, throughUnknown, nonNull };
}

const keywords = new Set('return typeof case in of delete void throw new instanceof await yield else do'.split(' '));

/** Whether the token ends an expression, so that `as` or `!` after it belongs to that expression. */
function endsValue(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'word') return !keywords.has(token.text);
  return token.kind !== 'punctuation' || [')', ']', '}', '!'].includes(token.text);
}

/** Without `{ a as b }` of import and export declarations and without `* as name`, which rename and assert nothing. */
function withoutClauses(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (!token) break;
    const isClause = token.kind === 'word' && (token.text === 'import' || token.text === 'export');
    const opens = tokens[i + 1]?.text === 'type' ? i + 2 : i + 1;
    if (isClause && (tokens[opens]?.text === '{' || tokens[opens]?.text === '*')) {
      while (i < tokens.length && tokens[i]?.kind !== 'string' && tokens[i]?.text !== ';') i += 1;
    } else kept.push(token);
  }
  return kept;
}
