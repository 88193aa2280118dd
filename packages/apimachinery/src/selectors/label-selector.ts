import { badRequest } from '../meta/api-error.ts';
import type { LabelSelector } from '../validation/labels.ts';
import { labelValue, qualifiedName } from '../validation/names.ts';

type Labels = Readonly<Record<string, string>>;

export interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | '!' | '=' | '!=' | '>' | '<';
  readonly values: readonly string[];
}

export interface Selector {
  readonly requirements: readonly Requirement[];
  matches(labels: Labels | undefined): boolean;
}

const none: Labels = {};

function satisfied(requirement: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '=':
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !requirement.values.includes(value);
    case '>':
    case '<': {
      if (value === undefined || !/^[+-]?\d+$/.test(value)) return false;
      const [left, right] = [BigInt(value), BigInt(requirement.values[0] ?? 0)];
      return requirement.operator === '>' ? left > right : left < right;
    }
  }
}

export const everything: Selector = { requirements: [], matches: () => true };

function selectorOf(requirements: readonly Requirement[]): Selector {
  return {
    requirements,
    matches: (labels) => requirements.every((requirement) => satisfied(requirement, labels ?? none)),
  };
}

/** The query form, `a=b,c in (d,e),!f,g>1`, with the messages of kube-apiserver if it does not parse. */
export function parseLabelSelector(text: string): Selector {
  const requirements = new Parser(text).parse();
  return requirements.length === 0 ? everything : selectorOf(requirements);
}

const objectOperators: ReadonlyMap<string, Requirement['operator']> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** The object form, `{ matchLabels, matchExpressions }`, already valid. */
export function selectorFromObject(selector: LabelSelector | undefined): Selector {
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    requirements.push({ key, operator: '=', values: [value] });
  }
  for (const { key = '', operator = '', values = [] } of selector?.matchExpressions ?? []) {
    requirements.push({ key, operator: objectOperators.get(operator) ?? 'in', values });
  }
  return requirements.length === 0 ? everything : selectorOf(requirements);
}

/** A selector in the format of Go: requirements by key, values sorted. It is in the status of a Scale. */
export function formatSelector(selector: Selector): string {
  return [...selector.requirements]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ key, operator, values }) => {
      const sorted = [...values].sort();
      if (operator === 'exists') return key;
      if (operator === '!') return `!${key}`;
      if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${sorted.join(',')})`;
      return `${key}${operator}${sorted[0] ?? ''}`;
    })
    .join(',');
}

type Token = { kind: 'word' | 'symbol' | 'end'; text: string };

const endOfText: Token = { kind: 'end', text: '' };

const symbols = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'];

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const symbol = symbols.find((candidate) => text.startsWith(candidate, at));
    if (symbol) {
      tokens.push({ kind: 'symbol', text: symbol });
      at += symbol.length;
      continue;
    }
    let end = at;
    while (end < text.length && !/[\s=!(),><]/.test(text.charAt(end))) end += 1;
    tokens.push({ kind: 'word', text: text.slice(at, end) });
    at = end;
  }
  return tokens;
}

const fail = (message: string): never => {
  throw badRequest(`unable to parse requirement: ${message}`);
};

class Parser {
  readonly #tokens: Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    const first = this.#peek();
    if (first.kind === 'end') return requirements;
    if (first.kind !== 'word' && first.text !== '!')
      throw badRequest(`found '${first.text}', expected: !, identifier, or 'end of string'`);
    for (;;) {
      requirements.push(this.#requirement());
      const next = this.#take();
      if (next.kind === 'end') return requirements;
      if (next.text !== ',') throw badRequest(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.#peek();
      if (after.kind !== 'word' && after.text !== '!')
        throw badRequest(`found '${after.text}', expected: identifier after ','`);
    }
  }

  #requirement(): Requirement {
    let negated = false;
    if (this.#peek().text === '!' && this.#peek().kind === 'symbol') {
      this.#take();
      negated = true;
    }
    const key = this.#take();
    if (key.kind !== 'word') fail(`found '${key.text}', expected: identifier`);
    checkKey(key.text);
    if (negated) return { key: key.text, operator: '!', values: [] };
    const next = this.#peek();
    if (next.kind === 'end' || next.text === ',') return { key: key.text, operator: 'exists', values: [] };
    this.#take();
    if (next.kind === 'word' && (next.text === 'in' || next.text === 'notin')) {
      return { key: key.text, operator: next.text, values: this.#values(key.text) };
    }
    if (next.kind === 'symbol' && ['=', '==', '!=', '>', '<'].includes(next.text)) {
      const operator = next.text === '==' ? '=' : (next.text as '=' | '!=' | '>' | '<');
      return { key: key.text, operator, values: [this.#exactValue(key.text, operator)] };
    }
    return fail(`found '${next.text}', expected: in, notin, =, ==, !=, gt, lt`);
  }

  #exactValue(key: string, operator: string): string {
    const next = this.#peek();
    if (next.kind === 'end' || next.text === ',') {
      if (operator === '>' || operator === '<') fail(`for 'Gt', 'Lt' operators, the value must be an integer`);
      return '';
    }
    if (next.kind !== 'word') fail(`found '${next.text}', expected: identifier`);
    this.#take();
    if ((operator === '>' || operator === '<') && !/^[+-]?\d+$/.test(next.text)) {
      fail(
        `values[0]: Invalid value: ${JSON.stringify(next.text)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    checkValue(key, next.text);
    return next.text;
  }

  #values(key: string): string[] {
    const open = this.#take();
    if (open.text !== '(') fail(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    let expectValue = true;
    for (;;) {
      const token = this.#take();
      if (token.kind === 'word') {
        checkValue(key, token.text);
        values.push(token.text);
        expectValue = false;
      } else if (token.text === ',') {
        if (expectValue) values.push('');
        expectValue = true;
      } else if (token.text === ')') {
        if (expectValue) values.push('');
        return [...new Set(values)];
      } else fail(`found '${token.text}', expected: ',', ')' or identifier`);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? endOfText;
  }

  #take(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#at += 1;
    return token;
  }
}

/** Kubernetes has no path for the key of a selector, and prints that. */
function checkKey(key: string): void {
  const problems = qualifiedName(key);
  if (problems.length > 0) fail(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`);
}

function checkValue(key: string, value: string): void {
  const problems = labelValue(value);
  if (problems.length > 0) fail(`values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${problems.join('; ')}`);
}
