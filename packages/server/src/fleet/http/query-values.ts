import { closest } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { invalidArgument } from '../../rpc/rpc-error.ts';
import type { Parameter } from '../api/endpoints.ts';

/** The parameters of a request, checked against the table of endpoints. */
export class QueryValues {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  private constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** Throws an RpcError that names the parameter that is wrong. */
  static read(search: URLSearchParams, known: Readonly<Record<string, Parameter>>): QueryValues {
    const values = new Map<string, string[]>();
    let count = 0;
    for (const [name, value] of search) {
      count += 1;
      if (count > limits.fleetQueryValues)
        throw invalidArgument(`the query has more than ${limits.fleetQueryValues} values`);
      const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
      if (!parameter) throw unknownParameter(name, Object.keys(known));
      if (value.length > limits.fleetQueryText) {
        throw invalidArgument(`parameter ${name} is longer than ${limits.fleetQueryText} characters`);
      }
      checkValue(name, value, parameter);
      const before = values.get(name);
      if (before && !parameter.repeated) throw invalidArgument(`parameter ${name} is given more than once`);
      values.set(name, [...(before ?? []), value]);
    }
    return new QueryValues(values);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Undefined if it is not given. */
  one(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  isOn(name: string): boolean {
    return this.one(name) === 'true';
  }

  /** Between 1 and `most`. */
  count(name: string, otherwise: number, most: number): number {
    const text = this.one(name);
    if (text === undefined) return otherwise;
    const number = Number(text);
    if (number < 1 || number > most) throw invalidArgument(`parameter ${name} must be between 1 and ${most}`);
    return number;
  }
}

function unknownParameter(name: string, known: readonly string[]): Error {
  const shown = name.slice(0, 50);
  const near = closest(shown, known);
  return invalidArgument(`unknown parameter ${shown}${near === undefined ? '' : `: did you mean ${near}?`}`);
}

function checkValue(name: string, value: string, { type, values }: Parameter): void {
  if (type === 'integer' && !/^\d{1,9}$/u.test(value)) throw invalidArgument(`parameter ${name} must be a number`);
  if (type === 'boolean' && value !== 'true' && value !== 'false') {
    throw invalidArgument(`parameter ${name} must be true or false`);
  }
  if (values && !values.includes(value)) {
    throw invalidArgument(`parameter ${name} must be one of ${values.join(', ')}, not ${value.slice(0, 50)}`);
  }
}
