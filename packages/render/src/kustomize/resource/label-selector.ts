import { KustomizeError } from '../kustomize-error.ts';

type Requirement = (labels: ReadonlyMap<string, string>) => boolean;

const cache = new Map<string, readonly Requirement[]>();

/** Whether labels match a selector in Kubernetes' notation: `a=b,c!=d,e in (f,g),!h`. */
export function matchesLabels(labels: ReadonlyMap<string, string>, selector: string): boolean {
  if (selector === '') return true;
  let requirements = cache.get(selector);
  if (!requirements) {
    requirements = parse(selector);
    if (cache.size > 1000) cache.clear();
    cache.set(selector, requirements);
  }
  return requirements.every((matches) => matches(labels));
}

const token = /\s*(?:(,)|(\()|(\))|(!=|==|=|!|>|<)|([^\s,()=!<>]+))/uy;

function parse(selector: string): Requirement[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  const end = selector.trimEnd().length;
  while (token.lastIndex < end) {
    const match = token.exec(selector);
    if (!match) throw unreadable(selector);
    tokens.push(match.slice(1).find((it) => it !== undefined)!);
  }
  const requirements: Requirement[] = [];
  while (tokens.length > 0) {
    requirements.push(requirement(tokens, selector));
    if (tokens.length > 0 && tokens.shift() !== ',') throw unreadable(selector);
  }
  return requirements;
}

const unreadable = (selector: string): KustomizeError =>
  new KustomizeError(`unable to parse requirement: ${selector} is no label selector`);
const isWord = (it: string | undefined): it is string => it !== undefined && !/^(?:[,()!<>]|!=|==?)$/u.test(it);

function requirement(tokens: string[], selector: string): Requirement {
  if (tokens[0] === '!') {
    tokens.shift();
    const key = tokens.shift();
    if (!isWord(key)) throw unreadable(selector);
    return (labels) => !labels.has(key);
  }
  const key = tokens.shift();
  if (!isWord(key)) throw unreadable(selector);
  const operator = tokens[0];
  if (operator === undefined || operator === ',') return (labels) => labels.has(key);
  tokens.shift();
  switch (operator) {
    case '=':
    case '==': {
      const value = exactValue(tokens);
      return (labels) => labels.get(key) === value;
    }
    case '!=': {
      const value = exactValue(tokens);
      return (labels) => labels.get(key) !== value;
    }
    case 'in': {
      const values = valueSet(tokens, selector);
      return (labels) => values.has(labels.get(key));
    }
    case 'notin': {
      const values = valueSet(tokens, selector);
      return (labels) => !values.has(labels.get(key));
    }
    case '>':
    case '<': {
      const bound = Number(exactValue(tokens));
      return (labels) => {
        const value = Number(labels.get(key) ?? Number.NaN);
        return operator === '>' ? value > bound : value < bound;
      };
    }
    default:
      throw unreadable(selector);
  }
}

const exactValue = (tokens: string[]): string => (isWord(tokens[0]) ? tokens.shift()! : '');

function valueSet(tokens: string[], selector: string): Set<string | undefined> {
  if (tokens.shift() !== '(') throw unreadable(selector);
  const values = new Set<string | undefined>();
  for (let expectsValue = true; ; expectsValue = !expectsValue) {
    const next = tokens.shift();
    if (next === undefined) throw unreadable(selector);
    if (next === ')') {
      if (expectsValue) values.add('');
      return values;
    }
    if (next === ',') {
      if (!expectsValue) continue;
      values.add('');
      expectsValue = false;
    } else if (isWord(next)) values.add(next);
    else throw unreadable(selector);
  }
}
