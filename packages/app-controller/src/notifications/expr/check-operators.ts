import { messageOf } from '@fairlead/apimachinery';
import { RE2JS } from 're2js';
import {
  anyList,
  elemOf,
  isAssignable,
  isComparable,
  isList,
  isNumber,
  isUnknown,
  listOf,
  maybe,
  type Nature,
  natures,
} from './nature.ts';
import type { BinaryNode } from './syntax-tree.ts';

const is =
  (...kinds: Nature['kind'][]) =>
  ({ kind }: Nature): boolean =>
    kinds.includes(kind);
const both = (a: Nature, b: Nature, test: (nature: Nature) => boolean): boolean => test(a) && test(b);
const [isBool, isString, isInt, isTime, isDuration] = [is('bool'), is('string'), is('int'), is('time'), is('duration')];
const isAmount = is('int', 'float', 'string', 'time', 'duration');

/** The nature of an operation, or what is wrong with it. Undefined if its operands do not fit. */
export function binaryNature({ operator, right }: BinaryNode, a: Nature, b: Nature): Nature | string | undefined {
  switch (operator) {
    case '==':
    case '!=':
      return isComparable(a, b) ? natures.bool : undefined;
    case 'or':
    case '||':
    case 'and':
    case '&&':
      return both(a, b, isBool) || maybe(a, b, isBool) ? natures.bool : undefined;
    case 'in':
      return inNature(a, b);
    case 'matches':
      return (right.type === 'string' ? patternProblem(right.value) : undefined) ?? textNature(a, b);
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return textNature(a, b);
    case '..':
      return both(a, b, isInt) || maybe(a, b, isInt) ? listOf(natures.int) : undefined;
    case '??':
      return coalesced(a, b);
    case '<':
    case '>':
    case '<=':
    case '>=':
      return ordered(a, b) || maybe(a, b, isAmount) ? natures.bool : undefined;
  }
  return arithmetic(operator, a, b);
}

const ordered = (a: Nature, b: Nature): boolean =>
  both(a, b, isNumber) || both(a, b, isString) || both(a, b, isTime) || both(a, b, isDuration);

function textNature(a: Nature, b: Nature): Nature | undefined {
  const fits = (isString(a) || a.kind === 'bytes') && isString(b);
  return fits || maybe(a, b, isString) ? natures.bool : undefined;
}

function inNature(a: Nature, b: Nature): Nature | string | undefined {
  if (b.kind === 'map') {
    const fits = isUnknown(a) || b.anyKey || a.kind === 'string';
    return fits ? natures.bool : `cannot use ${a.name} as type string in map key`;
  }
  if (isList(b))
    return isComparable(a, elemOf(b)) ? natures.bool : `cannot use ${a.name} as type ${elemOf(b).name} in array`;
  if (isUnknown(b) || (isUnknown(a) && isString(b))) return natures.bool;
  return undefined;
}

function coalesced(a: Nature, b: Nature): Nature {
  if (a.kind === 'nil') return b;
  if (b.kind === 'nil') return a;
  return isAssignable(b, a) ? a : natures.unknown;
}

const promoted = (a: Nature, b: Nature): Nature => (both(a, b, isInt) ? natures.int : natures.float);

function arithmetic(operator: string, a: Nature, b: Nature): Nature | undefined {
  const numbers = both(a, b, isNumber);
  switch (operator) {
    case '/':
    case '**':
    case '^':
      return numbers || maybe(a, b, isNumber) ? natures.float : undefined;
    case '%':
      return both(a, b, isInt) || maybe(a, b, isInt) ? natures.int : undefined;
    case '*':
      if (numbers) return promoted(a, b);
      if (both(a, b, (one) => isNumber(one) || isDuration(one))) return natures.duration;
      return maybe(a, b, (one) => isNumber(one) || isDuration(one)) ? natures.unknown : undefined;
    case '+':
      if (numbers) return promoted(a, b);
      if (both(a, b, isString)) return natures.string;
      if (both(a, b, isDuration)) return natures.duration;
      if ((isTime(a) && isDuration(b)) || (isDuration(a) && isTime(b))) return natures.time;
      return maybe(a, b, isAmount) ? natures.unknown : undefined;
    case '-':
      if (numbers) return promoted(a, b);
      if (both(a, b, isTime) || both(a, b, isDuration)) return natures.duration;
      if (isTime(a) && isDuration(b)) return natures.time;
      return maybe(a, b, (one) => isAmount(one) && !isString(one)) ? natures.unknown : undefined;
  }
  return undefined;
}

function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `invalid regular expression ${pattern}: ${messageOf(error)}`;
  }
}

/** The nature of a conditional by those of its branches. */
export function branchNature(a: Nature, b: Nature): Nature {
  if (a.kind === 'nil') return b;
  if (b.kind === 'nil') return a;
  if (!isAssignable(a, b)) return natures.unknown;
  if (a.kind !== 'list') return a;
  return isAssignable(elemOf(a), elemOf(b)) && isAssignable(elemOf(b), elemOf(a)) ? a : anyList;
}
