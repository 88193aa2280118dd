import { TemplateExecError } from '../go-template/exec-error.ts';
import { Execution, execute, executeTemplate, lookupTemplate } from '../go-template/execute.ts';
import { fn } from '../go-template/function.ts';
import { GoError, type GoFunction, GoMap, type GoValue, nilSlice } from '../go-template/go-value.ts';
import { Budget } from '../go-template/limits.ts';
import { TemplateParseError } from '../go-template/parse-error.ts';
import type { ParsedTemplate } from '../go-template/parser.ts';
import { TemplateCache } from '../go-template/template-cache.ts';
import { TemplateSet } from '../go-template/template-set.ts';
import { sprigFunctions } from '../sprig/index.ts';
import { fromPlain } from '../sprig/plain.ts';
import { conversionFunctions } from './conversions.ts';

export interface EngineOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** An object of the cluster, or a list if no name is given. Empty without a cluster. */
  readonly lookup?: (apiVersion: string, kind: string, namespace: string, name: string) => unknown;
  readonly budget?: Budget;
}

/** All engines have the same functions, so they can share parsed templates. */
const parsed = new TemplateCache();

/** Helm's limit on a template that includes itself. */
const maxIncludes = 1000;

/** An error of `fail` or `required`: only its message is shown, with the location of the call. */
class ChosenError extends GoError {}

/** Helm's template engine: Go templates with Sprig's and Helm's functions. */
export class Engine {
  /** The nondeterministic functions that were used. */
  readonly nondeterministic = new Set<string>();
  private readonly budget: Budget;
  private readonly included = new Map<string, number>();
  private readonly functions: Readonly<Record<string, GoFunction>>;
  private readonly set: TemplateSet;

  constructor({ now = Date.now, lookup = () => undefined, budget = new Budget() }: EngineOptions = {}) {
    this.budget = budget;
    const chosen = (message: string): never => {
      throw new ChosenError(message);
    };
    this.functions = {
      ...sprigFunctions({ now, used: (name) => this.nondeterministic.add(name) }),
      ...conversionFunctions(nilSlice),
      required: fn('string any', (message: string, value: GoValue) =>
        value === null || value === undefined || value === '' ? chosen(message) : value,
      ),
      fail: fn('string', chosen),
      lookup: fn('string string string string', (apiVersion: string, kind: string, namespace: string, name: string) => {
        const found = fromPlain(lookup(apiVersion, kind, namespace, name));
        return found instanceof GoMap ? found : new GoMap();
      }),
    };
    this.set = this.newSet();
  }

  /** Parses a file of templates. Later definitions replace earlier ones. */
  parse(file: string, source: string): void {
    this.set.parse(file, source);
  }

  /** Renders a file. A missing value renders as nothing. */
  render(file: string, data: GoValue): string {
    this.included.clear();
    try {
      return withoutMissing(execute(this.set, file, data, this.budget));
    } catch (error) {
      throw isStackOverflow(error) ? new TemplateExecError(this.template(file), undefined, this.tooDeep()) : error;
    }
  }

  private template(file: string): ParsedTemplate {
    return lookupTemplate(this.set, file);
  }

  /** JavaScript's stack may overflow before Helm's limit is reached; the message is the same. */
  private tooDeep(): string {
    const [name, count = 0] = [...this.included].sort(([, a], [, b]) => b - a)[0] ?? [];
    if (name === undefined || count === 0) return 'exceeded maximum template depth (100000)';
    return `error calling include: ${nestedReference(name)}`;
  }

  private newSet(parent?: TemplateSet): TemplateSet {
    const { budget, included } = this;
    // Few stack frames: a template that includes itself a thousand times must fit JavaScript's stack.
    const include = (name: string, data: GoValue): string => {
      const count = included.get(name) ?? 0;
      if (count > maxIncludes) throw new GoError(nestedReference(name));
      included.set(name, count + 1);
      const template = lookupTemplate(set, name);
      const execution = new Execution(set, template, data, budget);
      execution.walk(execution.data, template.body);
      included.set(name, count);
      return execution.text();
    };
    const set: TemplateSet = new TemplateSet(
      {
        ...this.functions,
        include: fn('string any', include),
        tpl: fn('string any', (text: string, data: GoValue) => this.tpl(set, text, data)),
      },
      parent,
      parsed,
    );
    return set;
  }

  /** Renders text as a template. Its definitions are visible to templates that it includes, but not afterwards. */
  private tpl(parent: TemplateSet, text: string, data: GoValue): string {
    const set = this.newSet(parent);
    let template: ReturnType<TemplateSet['parse']>;
    try {
      template = set.parse('gotpl', text);
    } catch (error) {
      if (!(error instanceof TemplateParseError)) throw error;
      throw new GoError(`cannot parse template ${JSON.stringify(text)}: ${error.message}`);
    }
    try {
      return withoutMissing(executeTemplate(set, template, data, this.budget));
    } catch (error) {
      if (!(error instanceof TemplateExecError)) throw error;
      throw new TplError(`error during tpl function execution for ${JSON.stringify(text)}: ${error.message}`, error);
    }
  }
}

const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && error.message.includes('call stack');
const nestedReference = (name: string): string =>
  `rendering template has a nested reference name: ${name}: unable to execute template`;

class TplError extends GoError {
  override readonly cause: Error;

  constructor(message: string, cause: Error) {
    super(message);
    this.cause = cause;
  }
}

const withoutMissing = (text: string): string => text.replaceAll('<no value>', '');

/** The message of `fail` or `required`, at any depth of includes. */
function chosenMessage(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ChosenError) return at.message;
  return undefined;
}

/** The message that Helm shows for an error of a template. */
export function explainTemplateError(error: unknown): string | undefined {
  if (error instanceof TemplateParseError) {
    return `parse error at (${error.file}:${error.line}): ${error.reason}`;
  }
  if (!(error instanceof TemplateExecError)) return undefined;
  const chosen = chosenMessage(error);
  return chosen === undefined
    ? error.message
    : `execution error at (${error.file}:${error.line}:${error.column}): ${chosen}`;
}
