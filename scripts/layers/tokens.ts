/** The tokens of a TypeScript file, as far as finding its imports needs them: comments are dropped, strings keep their value. */
export interface Token {
  readonly kind: 'word' | 'string' | 'punctuation' | 'literal';
  /** The text of the token; of a string, the text between the quotes. */
  readonly text: string;
  readonly line: number;
}

const word = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy;
const number = /\.?\d(?:[eE][+-]|[\w.])*/y;
const quoted = /'((?:\\[\s\S]|[^'\\\n])*)'?|"((?:\\[\s\S]|[^"\\\n])*)"?/y;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;
const regularExpression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;

/** After these words a slash begins a regular expression. */
const operators = new Set(
  'return typeof case in of delete void throw new instanceof await yield else do extends default'.split(' '),
);

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  /** For each open `${` of a template: how many braces are open within it. */
  const templates: number[] = [];
  let at = 0;
  let line = 1;

  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (!match) return undefined;
    at += match[0].length;
    return match;
  };
  const push = (kind: Token['kind'], text: string, from: number): void => {
    tokens.push({ kind, text, line });
    line += newlines(source, from, at);
  };
  /** A template's text up to its end or to the next `${`. */
  const template = (from: number, whole: boolean): void => {
    const text = take(templatePart)?.[0] ?? '';
    const open = source[at] === '$';
    at += open ? 2 : 1;
    if (open) templates.push(0);
    push(whole && !open ? 'string' : open ? 'punctuation' : 'literal', open ? '${' : text, from);
  };

  while (at < source.length) {
    const from = at;
    const char = source.charAt(at);
    if (/\s/.test(char)) {
      if (char === '\n') line += 1;
      at += 1;
    } else if (char === '/' && take(comment)) line += newlines(source, from, at);
    else if (char === '/' && beginsValue(tokens) && take(regularExpression)) push('literal', '/', from);
    else if (char === "'" || char === '"') {
      const match = take(quoted);
      push('string', match?.[1] ?? match?.[2] ?? '', from);
    } else if (char === '`') {
      at += 1;
      template(from, true);
    } else if (char === '}' && templates.at(-1) === 0) {
      templates.pop();
      at += 1;
      template(from, false);
    } else {
      const match = take(number);
      if (match) push('literal', match[0], from);
      else {
        const name = take(word);
        if (name) push('word', name[0], from);
        else {
          at += 1;
          const depth = templates.length - 1;
          if (depth >= 0 && (char === '{' || char === '}'))
            templates[depth] = (templates[depth] ?? 0) + (char === '{' ? 1 : -1);
          push('punctuation', char, from);
        }
      }
    }
  }
  return tokens;
}

/** Whether a value may begin after these tokens: then a slash is a regular expression, not a division. */
function beginsValue(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  if (!last) return true;
  if (last.kind === 'word') return operators.has(last.text);
  if (last.kind !== 'punctuation') return false;
  // `value! / 2`, but `return !/x/`
  if (last.text === '!') return beginsValue(tokens.slice(-3, -1));
  return !')]}'.includes(last.text);
}

function newlines(source: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (source[at] === '\n') count += 1;
  return count;
}
