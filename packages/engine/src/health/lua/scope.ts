import type { Variable } from './syntax.ts';

/** The scope of a function during parsing: each local has its own slot, so that a name declared twice is two variables. */
export class Scope {
  variadic = false;
  readonly #outer: Scope | undefined;
  readonly #names: [name: string, slot: number][] = [];
  readonly #upvalues: { readonly fromLocal: boolean; readonly index: number }[] = [];
  readonly #upvalueOf = new Map<string, number>();
  #slots = 0;

  constructor(outer: Scope | undefined) {
    this.#outer = outer;
  }

  get frame(): {
    readonly slots: number;
    readonly upvalues: readonly { readonly fromLocal: boolean; readonly index: number }[];
  } {
    return { slots: this.#slots, upvalues: this.#upvalues };
  }

  declare(name: string): number {
    const slot = this.#slots;
    this.#slots += 1;
    this.#names.push([name, slot]);
    return slot;
  }

  /** Inner declarations are not visible afterwards. */
  within<T>(read: () => T): T {
    const before = this.#names.length;
    try {
      return read();
    } finally {
      this.#names.length = before;
    }
  }

  find(name: string): Variable {
    const slot = this.#slotOf(name);
    if (slot !== undefined) return { type: 'local', slot };
    const index = this.#upvalue(name);
    return index === undefined ? { type: 'global', name } : { type: 'upvalue', index };
  }

  #slotOf(name: string): number | undefined {
    return this.#names.findLast(([known]) => known === name)?.[1];
  }

  #upvalue(name: string): number | undefined {
    if (!this.#outer) return undefined;
    const slot = this.#outer.#slotOf(name);
    const from = slot ?? this.#outer.#upvalue(name);
    if (from === undefined) return undefined;
    const key = `${slot === undefined ? 'up' : 'local'} ${from}`;
    const known = this.#upvalueOf.get(key);
    if (known !== undefined) return known;
    const index = this.#upvalues.push({ fromLocal: slot !== undefined, index: from }) - 1;
    this.#upvalueOf.set(key, index);
    return index;
  }
}
