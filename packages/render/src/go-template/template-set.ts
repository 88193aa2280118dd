import { builtins } from './builtins.ts';
import type { GoFunction } from './go-value.ts';
import { isEmptyTemplate, type ParsedTemplate, parseTemplates } from './parser.ts';

export interface FoundFunction {
  readonly function: GoFunction;
  readonly builtin: boolean;
}

/** Templates that know one another by name, and the functions they may call. */
export class TemplateSet {
  private readonly parent: TemplateSet | undefined;
  private readonly templates = new Map<string, ParsedTemplate>();
  private readonly own: Readonly<Record<string, GoFunction>>;

  constructor(functions: Readonly<Record<string, GoFunction>>, parent?: TemplateSet) {
    this.own = functions;
    this.parent = parent;
  }

  /** A set that sees all of this one's templates, and whose definitions this one does not see. */
  child(functions: Readonly<Record<string, GoFunction>> = this.own): TemplateSet {
    return new TemplateSet(functions, this);
  }

  /** Reads a file and gives its own template; what it defines replaces what was defined before, unless it is empty. */
  parse(file: string, source: string): ParsedTemplate {
    const hasFunction = (name: string): boolean => this.lookupFunction(name) !== undefined;
    const templates = parseTemplates(file, source, { hasFunction });
    for (const template of templates.values()) this.add(template);
    return templates.get(file)!;
  }

  add(template: ParsedTemplate): void {
    if (isEmptyTemplate(template) && this.lookup(template.name)) return;
    this.templates.set(template.name, template);
  }

  lookup(name: string): ParsedTemplate | undefined {
    return this.templates.get(name) ?? this.parent?.lookup(name);
  }

  lookupFunction(name: string): FoundFunction | undefined {
    if (Object.hasOwn(this.own, name)) return { function: this.own[name]!, builtin: false };
    if (Object.hasOwn(builtins, name)) return { function: builtins[name]!, builtin: true };
    return undefined;
  }
}
