import { RenderError } from './render-error.ts';

/**
 * Globs as Argo CD reads them: `*`, `**`, `?`, `[abc]`, `[!a-z]`, `{a,b}`, `\` before a character that is meant itself. Without a
 * separator `*` also crosses `/`; with one, only `**` does.
 */
export function globMatcher(pattern: string, separator = ''): (text: string) => boolean {
  const expression = new RegExp(`^(?:${translate(pattern, separator)})$`, 'su');
  return (text) => expression.test(text);
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&');

function translate(pattern: string, separator: string): string {
  const one = separator === '' ? '.' : `[^${literal(separator)}]`;
  const characters = [...pattern];
  let out = '';
  let depth = 0;
  const wrong = (what: string): never => {
    throw new RenderError('InvalidOption', `glob ${JSON.stringify(pattern)} ${what}`);
  };
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? '';
    if (character === '\\') {
      const next = characters[++i] ?? wrong('ends with a backslash');
      out += literal(next);
    } else if (character === '*') {
      const double = characters[i + 1] === '*';
      if (double) i++;
      out += double ? '.*' : `${one}*`;
    } else if (character === '?') out += one;
    else if (character === '[') {
      const close = characters.indexOf(']', i + 1);
      if (close < 0) wrong('has a [ without its ]');
      const inside = characters.slice(i + 1, close);
      const negated = inside[0] === '!';
      out += `[${negated ? '^' : ''}${characterClass(negated ? inside.slice(1) : inside)}]`;
      i = close;
    } else if (character === '{') {
      depth++;
      out += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      out += ')';
    } else if (character === ',' && depth > 0) out += '|';
    else out += literal(character);
  }
  if (depth > 0) wrong('has a { without its }');
  return out;
}

/** `a-z` stays a range; everything else is literal. */
function characterClass(inside: readonly string[]): string {
  const [first = '', dash, last = ''] = inside;
  if (inside.length === 3 && dash === '-') return `${literal(first)}-${literal(last)}`;
  return inside.map((character) => (character === '-' ? '\\-' : literal(character))).join('');
}
