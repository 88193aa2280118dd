/** A Lua value. `undefined` is nil; strings are bytes, one per character. */
export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction;

export interface LuaFunction {
  readonly name: string;
  call(args: readonly LuaValue[]): readonly LuaValue[];
}

/** An error raised or caused by a script; `pcall` catches it. */
export class LuaError extends Error {
  readonly value: LuaValue;
  /** The call level of the line that prefixes the message; 0 if it already has a prefix. */
  readonly #level: number;

  constructor(value: LuaValue, level = 1) {
    super(value instanceof LuaTable ? 'an error that is a table' : display(value));
    this.value = value;
    this.#level = level;
  }

  /** An error of the line itself, with the same message as gopher-lua, which Argo CD uses. */
  static at(line: number, message: string): LuaError {
    return new LuaError(message).calledFrom(line);
  }

  /** The same error, from a call in this line; 0 if no line makes the call. */
  calledFrom(line: number): LuaError {
    if (this.#level === 0 || line === 0 || typeof this.value !== 'string') return this;
    return this.#level > 1
      ? new LuaError(this.value, this.#level - 1)
      : new LuaError(`<string>:${line}: ${this.value}`, 0);
  }
}

/** A program that does not parse: the message of gopher-lua, and a detail. */
export class LuaSyntaxError extends LuaError {
  readonly detail: string;

  constructor(
    { line, column, text }: { readonly line: number; readonly column: number; readonly text: string },
    detail: string,
  ) {
    const where = text === '<eof>' ? 'at EOF' : `line:${line}(column:${column}) near '${text}'`;
    super(`<string> ${where}:   syntax error\n`, 0);
    this.detail = `line ${line}: ${detail}${text === '' ? '' : ` near '${text}'`}`;
  }
}

/** A script exceeded a limit: it cannot be caught in Lua. */
export class LuaLimit extends Error {}

/** Keys to values: those from 1 in a list, the others in insertion order. */
export class LuaTable {
  metatable: LuaTable | undefined;
  readonly list: LuaValue[] = [];
  readonly #hash = new Map<LuaValue, LuaValue>();
  /** Keys in order, and the position of each, for `next`; built on first use, and again after a key was added. */
  #order: { readonly keys: LuaValue[]; readonly places: Map<LuaValue, number> } | undefined;

  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && key >= 1 && key <= this.list.length && Number.isInteger(key))
      return this.list[key - 1];
    return this.#hash.get(key);
  }

  set(key: LuaValue, value: LuaValue): void {
    if (typeof key === 'number' && Number.isInteger(key) && key >= 1 && key <= this.list.length + 1) {
      this.#setItem(key, value);
    } else if (value === undefined) {
      // A key that is removed during an iteration stays in the order, without a value.
      if (this.#hash.has(key)) this.#order ? this.#hash.set(key, undefined) : this.#hash.delete(key);
    } else {
      if (!this.#hash.has(key)) this.#order = undefined;
      this.#hash.set(key, value);
    }
  }

  #setItem(key: number, value: LuaValue): void {
    const { list } = this;
    if (key <= list.length) {
      list[key - 1] = value;
      while (list.length > 0 && list.at(-1) === undefined) list.pop();
    } else if (value !== undefined) {
      list.push(value);
      this.#hash.delete(key);
      for (let next = list.length + 1; this.#hash.get(next) !== undefined; next++) {
        list.push(this.#hash.get(next));
        this.#hash.delete(next);
      }
      this.#order = undefined;
    }
  }

  get length(): number {
    return this.list.length;
  }

  /** The key after one, with its value; undefined after the last. */
  next(key: LuaValue): readonly [LuaValue, LuaValue] | undefined {
    let place = 0;
    if (
      key === undefined ||
      (typeof key === 'number' && Number.isInteger(key) && key >= 1 && key <= this.list.length)
    ) {
      for (let i = key === undefined ? 0 : (key as number); i < this.list.length; i++) {
        if (this.list[i] !== undefined) return [i + 1, this.list[i]];
      }
    } else {
      place = (this.#keys().places.get(key) ?? Number.POSITIVE_INFINITY) + 1;
    }
    const { keys } = this.#keys();
    for (let i = place; i < keys.length; i++) {
      const value = this.#hash.get(keys[i]);
      if (value !== undefined) return [keys[i], value];
    }
    return undefined;
  }

  #keys(): { readonly keys: LuaValue[]; readonly places: Map<LuaValue, number> } {
    if (!this.#order) {
      const keys = [...this.#hash.keys()];
      this.#order = { keys, places: new Map(keys.map((key, i) => [key, i])) };
    }
    return this.#order;
  }
}

export const isFunction = (value: LuaValue): value is LuaFunction =>
  typeof value === 'object' && !(value instanceof LuaTable);

export function typeName(value: LuaValue): string {
  if (value === undefined) return 'nil';
  if (value instanceof LuaTable) return 'table';
  return typeof value === 'object' ? 'function' : typeof value;
}

/** Numbers in the format of gopher-lua: integers without a decimal point. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value === 0 ? 0 : value);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value).replace(/e([+-])(\d)$/u, 'e$10$2');
}

export function display(value: LuaValue): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return value;
  if (value === undefined) return 'nil';
  return typeof value === 'boolean' ? String(value) : `${typeName(value)}: 0x0`;
}

/** A number, or a string that is a number; undefined otherwise. */
export function toNumber(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (!/^[+-]?(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/u.test(text)) return undefined;
  return /^[+-]/u.test(text) ? (text[0] === '-' ? -1 : 1) * Number(text.slice(1)) : Number(text);
}

export const isTrue = (value: LuaValue): boolean => value !== undefined && value !== false;
