/** A condition that cannot be read or evaluated. */
export class ConditionError extends Error {}

export type Token =
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'name'; readonly value: string }
  | { readonly is: 'mark'; readonly value: string };

const marks = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '??',
  '?.',
  '<',
  '>',
  '!',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '?',
  ':',
  '+',
  '-',
  '*',
  '/',
  '%',
];

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const space = /^\s+/u.exec(rest);
    const number = /^\d+(?:\.\d+)?/u.exec(rest);
    const name = /^[A-Za-z_$][\w$]*/u.exec(rest);
    const text = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)/su.exec(rest);
    const mark = marks.find((one) => rest.startsWith(one));
    if (space) at += space[0].length;
    else if (number) {
      tokens.push({ is: 'number', value: Number(number[0]) });
      at += number[0].length;
    } else if (name) {
      tokens.push({ is: 'name', value: name[0] });
      at += name[0].length;
    } else if (text) {
      const inside = text[0].slice(1, -1);
      const value = text[0].startsWith('`') ? inside : inside.replace(/\\(.)/gsu, (_, c: string) => escapes[c] ?? c);
      tokens.push({ is: 'text', value });
      at += text[0].length;
    } else if (mark) {
      tokens.push({ is: 'mark', value: mark });
      at += mark.length;
    } else throw new ConditionError(`unexpected character ${JSON.stringify(source[at])} at ${at}`);
  }
  return tokens;
}
