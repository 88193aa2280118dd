import { type Token, tokensOf } from './tokens.ts';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /**
   * `load`: when the file is loaded. `lazy`: by `import()` or `import.meta.resolve()`. `type`: not at run time.
   * `import { type A } from 'x'` is a load: Node strips the name and keeps the import.
   */
  readonly use: 'load' | 'lazy' | 'type';
}

/** Every import and re-export of a file whose specifier is a plain string. */
export function importsOf(source: string): Import[] {
  const tokens = tokensOf(source);
  return tokens.flatMap((token, at) => {
    const before = tokens[at - 1];
    if (token.kind !== 'word' || isPunctuation(before, '.')) return [];
    if (token.text === 'import') return importAt(tokens, at);
    return token.text === 'export' ? exportAt(tokens, at) : [];
  });
}

function importAt(tokens: readonly Token[], at: number): Import[] {
  const { line = 0 } = tokens[at] ?? {};
  const next = tokens[at + 1];
  if (next?.kind === 'string') return [{ specifier: next.text, line, use: 'load' }];
  const call = isPunctuation(next, '(') ? at + 2 : isResolve(tokens, at) ? at + 6 : undefined;
  if (call !== undefined) {
    const argument = tokens[call];
    if (argument?.kind !== 'string') return [];
    // `typeof import('x')` and `import('x').Name` in a type looks like a call unless types are parsed; both are dependencies.
    return [{ specifier: argument.text, line, use: isWord(tokens[at - 1], 'typeof') ? 'type' : 'lazy' }];
  }
  return from(tokens, at + 1, line, isTypeClause(tokens, at + 1) ? 'type' : 'load');
}

function exportAt(tokens: readonly Token[], at: number): Import[] {
  const { line = 0 } = tokens[at] ?? {};
  const typed = isWord(tokens[at + 1], 'type');
  const clause = tokens[typed ? at + 2 : at + 1];
  if (!isPunctuation(clause, '*') && !isPunctuation(clause, '{')) return [];
  return from(tokens, typed ? at + 2 : at + 1, line, typed ? 'type' : 'load');
}

/** The specifier after an import or export clause that begins at a token; none for `export { a };` and for other statements. */
function from(tokens: readonly Token[], start: number, line: number, use: 'load' | 'type'): Import[] {
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (isWord(token, 'from') && next?.kind === 'string') return [{ specifier: next.text, line, use }];
    const partOfClause = token?.kind === 'word' || (token?.kind === 'punctuation' && '{},*'.includes(token.text));
    // A name of an export may be a string: `export { a as 'b c' } from 'x'`.
    if (!partOfClause && token?.kind !== 'string') return [];
    if (isPunctuation(token, '}') && !isWord(next, 'from')) return [];
  }
  return [];
}

/** `import type { A } from`, `import type A from`; but `import type from` and `import type, { a } from` name a value `type`. */
function isTypeClause(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  if (!isWord(tokens[at], 'type')) return false;
  if (isPunctuation(next, '{') || isPunctuation(next, '*')) return true;
  return next?.kind === 'word' && (next.text !== 'from' || isWord(tokens[at + 2], 'from'));
}

const isResolve = (tokens: readonly Token[], at: number): boolean =>
  ['.', 'meta', '.', 'resolve', '('].every((text, step) => tokens[at + 1 + step]?.text === text);

const isPunctuation = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'punctuation' && token.text === text;

const isWord = (token: Token | undefined, text: string): boolean => token?.kind === 'word' && token.text === text;
