import { isBuiltin, predicateArguments, signatureOf } from './builtins/signatures.ts';
import { binaryNature, branchNature } from './check-operators.ts';
import { ExprError } from './expr-error.ts';
import { methodResult } from './methods.ts';
import { anyList, elemOf, isAssignable, isList, isNumber, isUnknown, listOf, type Nature, natures } from './nature.ts';
import type { BuiltinNode, Node } from './syntax-tree.ts';

/** Refuses an expression that can never run, such as `'a' + 1`. */
export function checkExpression(root: Node, source: readonly string[]): void {
  new Checker(source).check(root);
}

interface Scope {
  readonly collection: Nature;
  readonly pointers: Readonly<Record<string, Nature>>;
}

class Checker {
  readonly #source: readonly string[];
  readonly #scopes: Scope[] = [];
  readonly #variables: { readonly name: string; readonly nature: Nature }[] = [];

  constructor(source: readonly string[]) {
    this.#source = source;
  }

  #fail(node: Node, reason: string): never {
    throw new ExprError(reason, this.#source, node.at);
  }

  check(node: Node): Nature {
    switch (node.type) {
      case 'nil':
      case 'bool':
      case 'int':
      case 'float':
      case 'string':
      case 'bytes':
        return natures[node.type];
      case 'identifier':
        return this.#identifier(node.name);
      case 'pointer':
        return this.#pointer(node, node.name);
      case 'unary':
        return this.#unary(node, node.operator, this.check(node.operand));
      case 'binary': {
        const [left, right] = [this.check(node.left), this.check(node.right)];
        const nature = binaryNature(node, left, right);
        if (typeof nature === 'object') return nature;
        const mismatch = `invalid operation: ${node.operator} (mismatched types ${left.name} and ${right.name})`;
        return this.#fail(node, nature ?? mismatch);
      }
      case 'inTexts':
        return natures.bool;
      case 'chain':
        return this.check(node.inner);
      case 'member':
        return this.#member(node);
      case 'slice':
        return this.#slice(node);
      case 'call':
        for (const arg of node.args) this.check(arg);
        return this.check(node.callee);
      case 'builtin':
        return this.#builtin(node);
      case 'predicate':
        return this.check(node.body);
      case 'conditional':
        return this.#conditional(node);
      case 'let':
        return this.#let(node);
      case 'sequence':
        return node.items.map((item) => this.check(item)).at(-1) ?? natures.nil;
      case 'array':
        return this.#array(node.items);
      case 'map':
        for (const { key, value } of node.pairs) {
          this.check(key);
          this.check(value);
        }
        return natures.map;
    }
  }

  #identifier(name: string): Nature {
    const variable = this.#variables.findLast((one) => one.name === name);
    if (variable) return variable.nature;
    return isBuiltin(name) || predicateArguments.has(name) ? natures.function : natures.unknown;
  }

  #pointer(node: Node, name: string): Nature {
    const scope = this.#scopes.at(-1);
    if (!scope) return this.#fail(node, 'cannot use # outside of a predicate');
    if (name !== '') return scope.pointers[name] ?? this.#fail(node, `unknown pointer #${name}`);
    return isUnknown(scope.collection) ? natures.unknown : elemOf(scope.collection);
  }

  #unary(node: Node, operator: string, operand: Nature): Nature {
    const negates = operator === '!' || operator === 'not';
    if (negates && (operand.kind === 'bool' || isUnknown(operand))) return natures.bool;
    if (!negates && (isNumber(operand) || isUnknown(operand))) return operand;
    return this.#fail(node, `invalid operation: ${operator} (mismatched type ${operand.name})`);
  }

  #member(node: Extract<Node, { type: 'member' }>): Nature {
    if (node.object.type === 'identifier' && node.object.name === '$env') return natures.unknown;
    const object = this.check(node.object);
    const property = this.check(node.property);
    if (isUnknown(object)) return natures.unknown;
    const name = node.property.type === 'string' ? node.property.value : undefined;
    if (object.kind === 'nil' && name !== undefined) return this.#fail(node, `type nil has no field ${name}`);
    const method = name === undefined ? undefined : methodResult(object, name);
    if (method) return method;
    if (object.kind === 'map') {
      if (object.anyKey || isUnknown(property) || property.kind === 'string' || property.kind === 'nil')
        return elemOf(object);
      return this.#fail(node.property, `cannot use ${property.name} to get an element from ${object.name}`);
    }
    if (isList(object)) {
      if (isUnknown(property) || property.kind === 'int') return elemOf(object);
      return this.#fail(node.property, `array elements can only be selected using an integer (got ${property.name})`);
    }
    if (name !== undefined) return this.#fail(node, `type ${object.name} has no field ${name}`);
    return this.#fail(node, `type ${object.name}[${property.name}] is undefined`);
  }

  #slice(node: Extract<Node, { type: 'slice' }>): Nature {
    const list = this.check(node.list);
    if (isUnknown(list)) return natures.unknown;
    if (!isList(list) && list.kind !== 'string') this.#fail(node, `cannot slice ${list.name}`);
    for (const part of [node.from, node.to]) {
      const nature = part ? this.check(part) : natures.int;
      if (part && nature.kind !== 'int' && !isUnknown(nature))
        this.#fail(part, `non-integer slice index ${nature.name}`);
    }
    return list;
  }

  #conditional(node: Extract<Node, { type: 'conditional' }>): Nature {
    const condition = this.check(node.condition);
    if (condition.kind !== 'bool' && !isUnknown(condition))
      this.#fail(node.condition, `non-bool expression (type ${condition.name}) used as condition`);
    return branchNature(this.check(node.chosen), this.check(node.otherwise));
  }

  #let(node: Extract<Node, { type: 'let' }>): Nature {
    const { name } = node;
    const isTaken = isBuiltin(name) || predicateArguments.has(name) || this.#variables.some((one) => one.name === name);
    if (isTaken) this.#fail(node, `cannot redeclare ${name}`);
    this.#variables.push({ name, nature: this.check(node.value) });
    const nature = this.check(node.body);
    this.#variables.pop();
    return nature;
  }

  #array(items: readonly Node[]): Nature {
    const elements = items.map((item) => this.check(item));
    const last = elements.at(-1) ?? natures.unknown;
    return elements.every(({ kind }) => kind === last.kind) ? listOf(last) : anyList;
  }

  #builtin(node: BuiltinNode): Nature {
    if (predicateArguments.has(node.name)) return this.#predicateCall(node);
    const nature = signatureOf(node.name)?.(node.args.map((arg) => this.check(arg))) ?? natures.unknown;
    return typeof nature === 'string' ? this.#fail(node, `${node.name}: ${nature}`) : nature;
  }

  #predicateCall(node: BuiltinNode): Nature {
    const { name } = node;
    const [list, predicate, extra] = node.args;
    const collection = list ? this.check(list) : natures.unknown;
    if (list && !isList(collection) && !isUnknown(collection))
      this.#fail(list, `builtin ${name} takes only array (got ${collection.name})`);
    const hasIndex = name === 'map' || name === 'reduce';
    this.#scopes.push({
      collection,
      pointers: { ...(hasIndex ? { index: natures.int } : {}), ...(name === 'reduce' ? { acc: natures.unknown } : {}) },
    });
    const body = predicate && this.check(predicate);
    this.#scopes.pop();
    if (extra) this.#extra(name, extra);
    if (predicate && body?.kind === 'nil' && name !== 'reduce') this.#fail(predicate, 'a predicate must have a result');
    const result = predicateResult(name, collection, body);
    if (predicate && body && isTest(name) && body.kind !== 'bool' && !isUnknown(body))
      this.#fail(predicate, `predicate should return boolean (got ${body.name})`);
    return result;
  }

  #extra(name: string, extra: Node): void {
    const nature = this.check(extra);
    if (name === 'sortBy' && !isUnknown(nature) && !isAssignable(nature, natures.string))
      this.#fail(extra, `sortBy order argument must be a string (got ${nature.name})`);
  }
}

const isTest = (name: string): boolean => !['map', 'sum', 'groupBy', 'sortBy', 'reduce'].includes(name);

function predicateResult(name: string, collection: Nature, body: Nature | undefined): Nature {
  const element = isUnknown(collection) ? natures.unknown : elemOf(collection);
  switch (name) {
    case 'filter':
      return listOf(element);
    case 'map':
      return listOf(body ?? natures.unknown);
    case 'count':
      return natures.int;
    case 'sum':
      return body ?? element;
    case 'find':
    case 'findLast':
      return element;
    case 'findIndex':
    case 'findLastIndex':
      return natures.int;
    case 'groupBy':
      return { ...natures.groups, elem: listOf(element) };
    case 'sortBy':
      return collection;
    case 'reduce':
      return body ?? natures.unknown;
  }
  return natures.bool;
}
