import { Evaluator } from './evaluate.ts';
import { FormatLimitError } from './format-value.ts';
import { anyType } from './go-type.ts';
import {
  GoError,
  GoInt,
  GoMap,
  type GoValue,
  int,
  isFunction,
  isTrue,
  itemsOf,
  sortedKeys,
  typeName,
  typeOf,
} from './go-value.ts';
import { Budget, LimitError } from './limits.ts';
import { type Branch, nodeText, type Statement } from './node.ts';
import type { ParsedTemplate } from './parser.ts';
import { display } from './printf.ts';
import type { TemplateSet } from './template-set.ts';

/** The output of a template for some data. */
export function execute(set: TemplateSet, name: string, data: GoValue, budget = new Budget()): string {
  return executeTemplate(set, lookupTemplate(set, name), data, budget);
}

export function lookupTemplate(set: TemplateSet, name: string): ParsedTemplate {
  const template = set.lookup(name);
  if (!template) throw new GoError(`template: no template ${JSON.stringify(name)} associated with template "gotpl"`);
  return template;
}

/** Like `execute`, for a parsed template. */
export function executeTemplate(set: TemplateSet, template: ParsedTemplate, data: GoValue, budget: Budget): string {
  const execution = new Execution(set, template, data, budget);
  execution.walk(execution.data, template.body);
  return execution.text();
}

/** Go's limit. JavaScript's stack may overflow earlier, which callers must handle. */
const maxDepth = 100_000;

type Flow = 'next' | 'break' | 'continue';

/** One execution of one template. */
export class Execution extends Evaluator {
  readonly data: GoValue;
  private output: string[] = [];
  private depth = 0;

  constructor(set: TemplateSet, template: ParsedTemplate, data: GoValue, budget: Budget) {
    super(set, template, data ?? undefined, budget);
    this.data = data ?? undefined;
  }

  text(): string {
    return this.output.join('');
  }

  walk(dot: GoValue, list: readonly Statement[]): Flow {
    for (let i = 0; i < list.length; i++) {
      const node = list[i]!;
      this.budget.step();
      this.node = node;
      if (node.type === 'text') this.write(node.text);
      else if (node.type === 'action') this.print(node, this.evalPipe(dot, node.pipe));
      else if (node.type === 'template') this.callTemplate(dot, node);
      else if (!('list' in node)) return node.type;
      else {
        const flow = this.branch(dot, node);
        if (flow !== 'next') return flow;
      }
    }
    return 'next';
  }

  private branch(dot: GoValue, node: Branch): Flow {
    if (node.type === 'range') return this.range(dot, node);
    const mark = this.variables.length;
    const value = this.evalPipe(dot, node.pipe);
    let flow: Flow = 'next';
    if (!isTrue(value)) flow = node.elseList ? this.walk(dot, node.elseList) : 'next';
    else if (node.type === 'if') flow = this.walk(dot, node.list);
    else flow = this.withDot(value, false, node.list);
    this.variables.length = mark;
    return flow;
  }

  private print(node: Extract<Statement, { type: 'action' }>, value: GoValue): void {
    if (node.pipe.declare.length > 0) return;
    this.node = node;
    if (value === undefined) this.write('<no value>');
    else if (typeof value === 'string') this.write(value);
    else if (isFunction(value)) this.fail(`can't print ${nodeText(node)} of type ${typeName(value)}`);
    else {
      try {
        this.write(display(value));
      } catch (error) {
        throw error instanceof FormatLimitError ? new LimitError(error.message) : error;
      }
    }
  }

  private write(text: string): void {
    this.budget.write(text.length);
    this.output.push(text);
  }

  private withDot(dot: GoValue, isInterface: boolean, list: readonly Statement[]): Flow {
    const outer = this.dotIsInterface;
    this.dotIsInterface = isInterface;
    const flow = this.walk(dot, list);
    this.dotIsInterface = outer;
    return flow;
  }

  private range(dot: GoValue, node: Branch): Flow {
    const outer = this.variables.length;
    const value = this.evalPipe(dot, node.pipe);
    const mark = this.variables.length;
    const { declare, assigns } = node.pipe;
    const each = (index: GoValue, element: GoValue, isInterface: boolean): Flow => {
      this.budget.step();
      if (declare.length > 0) {
        if (!assigns) {
          Object.assign(this.variables[mark - 1]!, { value: element, isInterface });
          if (declare.length > 1) Object.assign(this.variables[mark - 2]!, { value: index, isInterface: false });
        } else {
          if (declare.length > 1) this.setVariable(declare[0]!, index, false);
          this.setVariable(declare.at(-1)!, element, isInterface);
        }
      }
      const flow = this.withDot(element, isInterface, node.list);
      this.variables.length = mark;
      return flow;
    };
    const ran = this.iterate(value, declare.length, each);
    const flow = !ran && node.elseList ? this.walk(dot, node.elseList) : 'next';
    this.variables.length = outer;
    return flow;
  }

  /** Calls the body for each element until a break. Returns false if there are no elements. */
  private iterate(
    value: GoValue,
    variables: number,
    each: (index: GoValue, element: GoValue, isInterface: boolean) => Flow,
  ): boolean {
    const items = itemsOf(value);
    if (items) {
      const isInterface = typeOf(value)!.elem === anyType;
      for (let i = 0; i < items.length; i++) if (each(int(i), items[i], isInterface) === 'break') break;
      return items.length > 0;
    }
    if (value instanceof GoMap) {
      const isInterface = value.type.elem === anyType;
      const keys = sortedKeys(value);
      for (const key of keys) if (each(key, value.get(key), isInterface) === 'break') break;
      return keys.length > 0;
    }
    if (value instanceof GoInt) {
      if (variables > 1) this.fail(`can't use ${value.value} to iterate over more than one variable`);
      for (let i = 0n; i < value.value; i++) if (each(undefined, new GoInt(i, value.type), false) === 'break') break;
      return value.value > 0n;
    }
    if (value === undefined || value === null) return false;
    return this.fail(`range can't iterate over ${display(value)}`);
  }

  private callTemplate(dot: GoValue, node: Extract<Statement, { type: 'template' }>): void {
    const template = this.set.lookup(node.name);
    if (!template) this.fail(`template ${JSON.stringify(node.name)} not defined`);
    if (this.depth === maxDepth) this.fail(`exceeded maximum template depth (${maxDepth})`);
    const data = node.pipe ? this.evalPipe(dot, node.pipe) : undefined;
    const inner = new Execution(this.set, template, data, this.budget);
    inner.output = this.output;
    inner.depth = this.depth + 1;
    inner.walk(data, template.body);
  }
}
