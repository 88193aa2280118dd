import { builtins } from './builtins.ts';
import type { GoFunction } from './go-value.ts';
import { isEmptyTemplate, type ParsedTemplate, parseTemplates } from './parser.ts';
import type { TemplateCache } from './template-cache.ts';

export interface FoundFunction {
  readonly function: GoFunction;
  readonly builtin: boolean;
}

/** What a key that a map does not have gives: the zero value of its type, as with Helm, no value, or an error. */
export type MissingKey = 'zero' | 'default' | 'error';

/** Templates that know one another by name, and the functions they may call; a set sees its parent's templates, not the other way. */
export class TemplateSet {
  private readonly parent: TemplateSet | undefined;
  private readonly templates = new Map<string, ParsedTemplate>();
  private readonly own: Readonly<Record<string, GoFunction>>;

  private readonly cache: TemplateCache | undefined;
  readonly missingKey: MissingKey;

  constructor(
    functions: Readonly<Record<string, GoFunction>>,
    parent?: TemplateSet,
    cache?: TemplateCache,
    missingKey: MissingKey = 'zero',
  ) {
    this.own = functions;
    this.parent = parent;
    this.cache = cache;
    this.missingKey = missingKey;
  }

  /** Reads a file and gives its own template; what it defines replaces what was defined before, unless it is empty. */
  parse(file: string, source: string): ParsedTemplate {
    const hasFunction = (name: string): boolean => this.lookupFunction(name) !== undefined;
    const options = { hasFunction };
    const templates = this.cache?.parse(file, source, options) ?? parseTemplates(file, source, options);
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
