import { must } from '@fairlead/apimachinery/primitives';
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

/** One `Argument` for each of the space-separated names in `Names`. */
type Arguments<Names extends string> = Names extends `${string} ${infer Rest}`
  ? [Argument, ...Arguments<Rest>]
  : [Argument];

/** A function of `std`. */
export interface Definition {
  readonly parameters: JsonnetFunction['parameters'];
  readonly call: (evaluator: Evaluator, args: readonly (Thunk | undefined)[]) => Value;
}

/** An argument, evaluated when it is first read. */
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
    return must(this.thunk, `parameter ${this.name}`);
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

  /** An array, or the characters of a string, which many functions treat alike. */
  get sequence(): string[] | JsonnetArray {
    const { value } = this;
    if (typeof value === 'string') return Array.from(value);
    return value instanceof JsonnetArray ? value : this.refuse('array or string');
  }

  or<T extends 'text' | 'number' | 'truth'>(kind: T, fallback: Argument[T]): Argument[T] {
    return this.given ? this[kind] : fallback;
  }

  private refuse(expected: string): never {
    throw new JsonnetError(`parameter ${this.name} must be ${expected}, got ${typeOf(this.value)}`);
  }
}

/** Parameters are written as `name`, or `name?` if optional. */
export function define<Names extends string>(
  names: Names,
  run: (evaluator: Evaluator, ...args: Arguments<Names>) => Value,
): Definition {
  const parameters = names.split(' ').map((name) => ({ name: name.replace('?', ''), optional: name.endsWith('?') }));
  const isComplete = (args: readonly Argument[]): args is Arguments<Names> => args.length === parameters.length;
  return {
    parameters,
    call(evaluator, thunks) {
      const args = parameters.map(({ name }, i) => new Argument(name, thunks[i]));
      if (!isComplete(args)) throw new JsonnetError(`expected ${parameters.length} arguments, got ${args.length}`);
      return run(evaluator, ...args);
    },
  };
}

export const builtIn = (evaluator: Evaluator, { parameters, call }: Definition): JsonnetFunction => ({
  kind: 'function',
  parameters,
  call: (args) => call(evaluator, args),
});
