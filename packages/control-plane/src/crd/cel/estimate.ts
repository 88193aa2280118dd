import { type Extent, one } from './extent.ts';
import type { Node } from './parse.ts';

/** The maximum cost of an expression, in the units of kube-apiserver, and the maximum size of its value. */
interface Estimate {
  readonly cost: number;
  readonly extent: Extent;
}

/** The length of an unbounded string. */
const anyLength: Extent = { size: 2 ** 64 };

/** Functions that return such a string. */
const unboundedTexts = new Set('charAt getScheme getHost getHostname getPort getEscapedPath string'.split(' '));

type Variables = ReadonlyMap<string, Extent>;

/**
 * The cost of an expression in the model of kube-apiserver for CRDs: most steps cost one, strings a tenth per character, loops their body
 * per item. Unknown sizes count as one, except for converted strings, whose length the server considers unbounded.
 */
export function estimateCost(node: Node, variables: Readonly<Record<string, Extent>>): number {
  return estimate(node, new Map(Object.entries(variables))).cost;
}

function estimate(node: Node, variables: Variables): Estimate {
  switch (node.op) {
    case 'value':
      return { cost: 0, extent: { size: sizeOfLiteral(node.args) } };
    case 'id':
      return { cost: 1, extent: variables.get(node.args) ?? one };
    case '.':
    case '.?': {
      const operand = estimate(node.args[0], variables);
      return { cost: operand.cost + 1, extent: operand.extent.field?.(node.args[1]) ?? one };
    }
    case '[]':
    case '[?]': {
      const [operand, key] = [estimate(node.args[0], variables), estimate(node.args[1], variables)];
      return { cost: operand.cost + key.cost + 1, extent: operand.extent.item?.() ?? one };
    }
    case 'list': {
      const items = node.args.map((item) => estimate(item, variables));
      const largest = items.reduce((most, item) => (item.extent.size > most.size ? item.extent : most), one);
      return { cost: 10 + sum(items), extent: { size: items.length, item: () => largest } };
    }
    case 'map': {
      const entries = node.args.flatMap((entry) => entry.map((part) => estimate(part, variables)));
      return { cost: 30 + sum(entries), extent: { size: node.args.length } };
    }
    case '?:': {
      const condition = estimate(node.args[0], variables);
      const yes = estimate(node.args[1], variables);
      const no = estimate(node.args[2], variables);
      return {
        cost: condition.cost + Math.max(yes.cost, no.cost),
        extent: yes.extent.size >= no.extent.size ? yes.extent : no.extent,
      };
    }
    case '!_':
    case '-_':
      return { cost: estimate(node.args, variables).cost + 1, extent: one };
    case 'call':
      return call(node.args[0], node.args[1], variables);
    case 'rcall':
      return memberCall(node.args[0], node.args[1], node.args[2], variables);
    default:
      return binary(node.op, estimate(node.args[0], variables), estimate(node.args[1], variables));
  }
}

const sum = (estimates: readonly Estimate[]): number => estimates.reduce((total, { cost }) => total + cost, 0);
const tenth = (size: number): number => Math.ceil(size / 10);

function sizeOfLiteral(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  return value instanceof Uint8Array ? value.length : 1;
}

function binary(operator: string, left: Estimate, right: Estimate): Estimate {
  const cost = left.cost + right.cost;
  const [a, b] = [left.extent.size, right.extent.size];
  switch (operator) {
    case '&&':
    case '||':
      return { cost, extent: one };
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { cost: cost + tenth(Math.min(a, b)), extent: one };
    case 'in':
      // A map is looked up, a list is searched.
      return { cost: cost + (right.extent.field ? 1 : b), extent: one };
    case '+': {
      const larger = a >= b ? left.extent : right.extent;
      const isList = larger.item !== undefined;
      return {
        cost: cost + (isList ? 1 : tenth(a + b)),
        extent: a === 1 && b === 1 ? one : { ...larger, size: a + b },
      };
    }
    default:
      return { cost: cost + 1, extent: one };
  }
}

/** Functions that read a string once. `isURL` does too, but kube-apiserver counts it as one step. */
const reading = new Set('url ip isIP cidr isCIDR quantity isQuantity semver isSemver bytes strings.quote'.split(' '));

function call(name: string, args: readonly Node[], variables: Variables): Estimate {
  if (name === 'has') {
    const [field] = args;
    const operand = field?.op === '.' || field?.op === '.?' ? estimate(field.args[0], variables) : undefined;
    return { cost: operand?.cost ?? 0, extent: one };
  }
  const estimates = args.map((arg) => estimate(arg, variables));
  const first = estimates[0]?.extent ?? one;
  if (name === 'matches') return { cost: sum(estimates) + matching(first, estimates[1]?.extent ?? one), extent: one };
  if (name === 'dyn') return { cost: sum(estimates) + 1, extent: first };
  return {
    cost: sum(estimates) + (reading.has(name) ? tenth(first.size) : 1),
    extent: name === 'string' ? anyLength : one,
  };
}

const matching = (text: Extent, pattern: Extent): number => tenth(text.size + 1) * Math.ceil(pattern.size / 4);

function memberCall(name: string, receiver: Node, args: readonly Node[], variables: Variables): Estimate {
  const loop = loops[`${name}/${args.length}`];
  if (loop) return loopCost(loop, receiver, args, variables);
  const operand = estimate(receiver, variables);
  const estimates = args.map((arg) => estimate(arg, variables));
  const cost = operand.cost + sum(estimates);
  const own = operand.extent;
  const other = estimates[0]?.extent ?? one;
  switch (name) {
    case 'startsWith':
    case 'endsWith':
      return { cost: cost + tenth(other.size), extent: one };
    case 'matches':
    case 'find':
      return { cost: cost + matching(own, other), extent: own };
    case 'findAll':
      return { cost: cost + matching(own, other), extent: { size: own.size, item: () => own } };
    case 'contains':
      return receiver.op === 'id' && receiver.args === 'sets'
        ? pairwise(cost, estimates)
        : { cost: cost + tenth(own.size) * tenth(other.size), extent: one };
    case 'equivalent':
    case 'intersects':
      return pairwise(cost, estimates);
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
    case 'format':
    case 'validate':
      return { cost: cost + tenth(own.size), extent: own };
    case 'replace':
      return { cost: cost + 2 * tenth(own.size), extent: own };
    case 'split':
      return { cost: cost + 2 * tenth(own.size), extent: { size: own.size, item: () => one } };
    case 'join':
      return {
        cost: cost + tenth(own.size * (own.item?.().size ?? 1)),
        extent: { size: own.size * (own.item?.().size ?? 1) },
      };
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf': {
      const item = own.item?.();
      return {
        cost: cost + (item ? own.size * (1 + (item.size > 1 ? tenth(item.size) : 0)) : tenth(own.size)),
        extent: one,
      };
    }
    case 'distinct':
    case 'sort':
      return { cost: cost + own.size ** 2, extent: own };
    case 'orValue':
    case 'value':
    case 'or':
      return { cost: cost + 1, extent: own };
    default:
      return { cost: cost + 1, extent: unboundedTexts.has(name) ? anyLength : one };
  }
}

const pairwise = (cost: number, [left, right]: readonly Estimate[]): Estimate => ({
  cost: cost + (left?.extent.size ?? 1) * (right?.extent.size ?? 1),
  extent: one,
});

/** The cost of a loop per item in addition to its parts, and its result. */
interface Loop {
  readonly variables: 1 | 2;
  readonly overhead: number;
  readonly makes: 'truth' | 'list';
}

const quantifier = (variables: 1 | 2, overhead: number): Loop => ({ variables, overhead, makes: 'truth' });
const list = (variables: 1 | 2, overhead: number): Loop => ({ variables, overhead, makes: 'list' });

const loops: Readonly<Record<string, Loop>> = {
  'all/2': quantifier(1, 3),
  'all/3': quantifier(2, 3),
  'exists/2': quantifier(1, 4),
  'exists/3': quantifier(2, 4),
  'exists_one/2': quantifier(1, 2),
  'existsOne/2': quantifier(1, 2),
  'exists_one/3': quantifier(2, 2),
  'existsOne/3': quantifier(2, 2),
  'map/2': list(1, 12),
  'map/3': list(1, 13),
  'filter/2': list(1, 13),
  'transformList/3': list(2, 12),
  'transformList/4': list(2, 13),
  'transformMap/3': list(2, 12),
  'transformMap/4': list(2, 13),
};

function loopCost(loop: Loop, receiver: Node, args: readonly Node[], variables: Variables): Estimate {
  const range = estimate(receiver, variables);
  const inner = new Map(variables);
  const isMap = range.extent.field !== undefined;
  const item = range.extent.item?.() ?? one;
  const bound = loop.variables === 1 ? [isMap ? one : item] : [one, item];
  for (const [i, extent] of bound.entries()) {
    const name = args[i];
    if (name?.op === 'id') inner.set(name.args, extent);
  }
  const parts = args.slice(loop.variables).map((part) => estimate(part, inner));
  const perItem = sum(parts) + loop.overhead;
  return {
    cost: range.cost + range.extent.size * perItem + 1,
    extent:
      loop.makes === 'truth'
        ? one
        : {
            size: range.extent.size,
            item: () =>
              args.length - loop.variables === 1 && loop.overhead === 13 ? item : (parts.at(-1)?.extent ?? one),
          },
  };
}
