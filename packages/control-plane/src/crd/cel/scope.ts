import type { Budget } from './budget.ts';
import type { Type } from './types.ts';
import type { Value } from './values.ts';

/** The variables of one evaluation by slot, and its remaining cost. */
export interface Frame {
  readonly slots: Value[];
  readonly budget: Budget;
}

export interface Step {
  readonly type: Type;
  run(frame: Frame): Value;
}

export class Scope {
  readonly #variables: ReadonlyMap<string, { readonly type: Type; readonly slot: number }>;
  /** The used variables, by the innermost name. */
  readonly used: Set<string>;
  readonly size: number;

  constructor(
    variables: ReadonlyMap<string, { readonly type: Type; readonly slot: number }> = new Map(),
    used = new Set<string>(),
    size = variables.size,
  ) {
    this.#variables = variables;
    this.used = used;
    this.size = size;
  }

  static of(variables: Readonly<Record<string, Type>>): Scope {
    return new Scope(new Map(Object.entries(variables).map(([name, type], slot) => [name, { type, slot }])));
  }

  get(name: string): { readonly type: Type; readonly slot: number } | undefined {
    const variable = this.#variables.get(name);
    if (variable) this.used.add(name);
    return variable;
  }

  has(name: string): boolean {
    return this.#variables.has(name);
  }

  /** A nested scope with one more variable, and its slot. */
  with(name: string, type: Type): { scope: Scope; slot: number } {
    const slot = this.size;
    return { scope: new Scope(new Map([...this.#variables, [name, { type, slot }]]), this.used, slot + 1), slot };
  }
}
