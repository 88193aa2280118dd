/** Splits a file into the two things that hold words: names (identifiers) and text (comments, strings, prose). */

export interface Name {
  readonly name: string;
  readonly offset: number;
}

export interface Segments {
  readonly names: readonly Name[];
  /** As long as the source: code is replaced by \u0001 and comment markers by spaces, so offsets stay and phrases may wrap. */
  readonly text: string;
}

const other = '\u0001';
const camelCase = /[A-Za-z$_][\w$]*[a-z][A-Z][\w$]*/g;

/** Prose: all of it is text, and names in camel case are names too. */
export function prose(source: string): Segments {
  return { text: source.replace(/^[ \t]*>/gm, ' '), names: camelNames(source) };
}

const camelNames = (text: string): Name[] =>
  [...text.matchAll(camelCase)].map((match) => ({ name: match[0], offset: match.index }));

/** One alternative for each kind of token; anything else is an operator. A template stops at `${` and continues at the matching `}`. */
const token =
  /(?<comment>\/\/[^\n]*|\/\*.*?(?:\*\/|$))|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<template>`)|(?<name>[A-Za-z_$][\w$]*)|(?<number>\d[\w.]*)|(?<space>\s+)|(?<operator>.)/gsy;
const templatePart = /(?:[^`\\$]|\\.|\$(?!\{))*(?<end>`|\$\{|$)/gsy;
const regex = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/gy;

const beforeRegex = new Set(['return', 'typeof', 'case', 'of', 'in', 'throw', 'await', 'yield']);

/** TypeScript, as far as it is needed to tell comments and strings from code. */
export function typescript(source: string): Segments {
  const names: Name[] = [];
  const text: string[] = [];
  /** For each open template: how many braces are open inside its current `${`. */
  const braces: number[] = [];
  let at = 0;
  let previous = '';

  const keep = (words: string): void => {
    text.push(words);
    for (const { name, offset } of camelNames(words)) names.push({ name, offset: at + offset });
    at += words.length;
  };
  const mask = (code: string): void => {
    text.push(code.replace(/\S/g, other));
    at += code.length;
  };
  const template = (): void => {
    templatePart.lastIndex = at;
    const match = templatePart.exec(source);
    const end = match?.groups?.['end'] ?? '';
    const whole = match?.[0] ?? '';
    keep(whole.slice(0, whole.length - end.length));
    mask(end);
    if (end === '${') braces.push(0);
    previous = end === '`' ? '`' : '{';
  };

  while (at < source.length) {
    if (source[at] === '/' && (!/[\w$)\]}`'"]$/.test(previous) || beforeRegex.has(previous))) {
      regex.lastIndex = at;
      const match = regex.exec(source);
      if (match) {
        mask(match[0]);
        previous = ')';
        continue;
      }
    }
    token.lastIndex = at;
    const match = token.exec(source);
    const { comment, string, template: opened, name, space } = match?.groups ?? {};
    const whole = match?.[0] ?? '';
    if (comment !== undefined) keep(comment.replace(/^\/[/*]+|\*\/$|\n[ \t]*\*(?!\/)/g, blank));
    else if (space !== undefined) mask(space);
    else if (string !== undefined) {
      keep(other + string.slice(1, -1).replace(/\\[nt]/g, '  ') + other);
      previous = "'";
    } else if (opened !== undefined) {
      mask(opened);
      template();
    } else if (name !== undefined) {
      names.push({ name, offset: at });
      mask(name);
      previous = name;
    } else {
      const open = braces.at(-1);
      if (open !== undefined && whole === '{') braces[braces.length - 1] = open + 1;
      if (open !== undefined && whole === '}') braces[braces.length - 1] = open - 1;
      mask(whole);
      previous = whole;
      if (open === 0 && whole === '}') {
        braces.pop();
        template();
      }
    }
  }
  return { names, text: text.join('') };
}

const blank = (marker: string): string => marker.replace(/[^\n]/g, ' ');
