import { lookup, numberOf, type Scope, textOf } from './scope.ts';

/** The message of a clause with its `{…}` replaced; missing values are empty. */
export const fillIn = (message: string, scope: Scope): string =>
  message.includes('{') ? message.replaceAll(/\{([^{}]*)\}/g, (_, hole: string) => firstThere(hole, scope)) : message;

function firstThere(hole: string, scope: Scope): string {
  for (const alternative of hole.split('|')) {
    const text = textFor(alternative, scope);
    if (text !== '') return text;
  }
  return '';
}

function textFor(source: string, scope: Scope): string {
  if (source.startsWith("'")) return source.slice(1, -1);
  if (source.startsWith('condition ')) return ofCondition(source.slice('condition '.length), scope);
  const [, operation, separator, path] = /^(?:(lower|count|sum|join\("([^"]*)"\)):)?(.*)$/.exec(source) ?? [];
  const operand = path ?? '';
  if (operation === 'lower') return textOf(lookup(scope, operand)[0]).toLowerCase();
  if (operation === 'count' || operation === 'sum') return String(numberOf(scope, `${operation}:${operand}`));
  if (separator !== undefined) return lookup(scope, operand).map(textOf).join(separator);
  return textOf(lookup(scope, operand)[0]);
}

/** `Ready.reason`; the type may contain dots. */
function ofCondition(source: string, scope: Scope): string {
  const dot = source.lastIndexOf('.');
  return textOf(lookup(scope, `$.status.conditions[type=${source.slice(0, dot)}].${source.slice(dot + 1)}`)[0]);
}
