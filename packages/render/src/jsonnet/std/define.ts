import type { Evaluator } from '../evaluate.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import {
  isFunction,
  JsonnetArray,
  type JsonnetFunction,
  JsonnetObject,
  type Thunk,
  typeOf,
  type Value,
} from '../value.ts';

/** A function of `std`: its parameters as `name`, or `name?` where it may be left out, and what it does with them. */
export interface Definition {
  readonly parameters: string;
  readonly run: (evaluator: Evaluator, ...args: Argument[]) => Value;
}

/** An argument, not computed before it is looked at. */
export class Argument {
  private readonly thunk: Thunk | undefined;
  private readonly name: string;

  constructor(name: string, thunk: Thunk | undefined) {
    this.name = name;
    this.thunk = thunk;
  }

  get given(): boolean {
    return this.thunk !== undefined;
  }

  get delayed(): Thunk {
    return this.thunk!;
  }

  get value(): Value {
    return this.thunk ? this.thunk.force() : null;
  }

  get text(): string {
    const { value } = this;
    return typeof value === 'string' ? value : this.refuse('string');
  }

  get number(): number {
    const { value } = this;
    return typeof value === 'number' ? value : this.refuse('number');
  }

  get integer(): number {
    const value = this.number;
    return Number.isInteger(value) ? value : this.refuse('integer');
  }

  get truth(): boolean {
    const { value } = this;
    return typeof value === 'boolean' ? value : this.refuse('boolean');
  }

  get array(): JsonnetArray {
    const { value } = this;
    return value instanceof JsonnetArray ? value : this.refuse('array');
  }

  get object(): JsonnetObject {
    const { value } = this;
    return value instanceof JsonnetObject ? value : this.refuse('object');
  }

  get function(): JsonnetFunction {
    const { value } = this;
    return isFunction(value) ? value : this.refuse('function');
  }

  /** Texts are arrays of their characters to many functions. */
  get sequence(): string[] | JsonnetArray {
    const { value } = this;
    if (typeof value === 'string') return Array.from(value);
    return value instanceof JsonnetArray ? value : this.refuse('array or string');
  }

  or<T extends 'text' | 'number' | 'truth'>(kind: T, fallback: Argument[T]): Argument[T] {
    return this.given ? this[kind] : fallback;
  }

  private refuse(wanted: string): never {
    throw new JsonnetError(`parameter ${this.name} must be ${wanted}, got ${typeOf(this.value)}`);
  }
}

export const define = (parameters: string, run: Definition['run']): Definition => ({ parameters, run });

export function builtIn(evaluator: Evaluator, { parameters, run }: Definition): JsonnetFunction {
  const all = parameters
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => ({ name: name.replace('?', ''), optional: name.endsWith('?') }));
  return {
    kind: 'function',
    parameters: all,
    call: (args) => run(evaluator, ...all.map(({ name }, i) => new Argument(name, args[i]))),
  };
}
