import { type FieldError, fieldError } from '@fairlead/apimachinery';

/** The cost limit of one rule for one object, times all its locations. */
const expressionLimit = 10_000_000;
/** The total cost limit of the rules of a schema. */
const schemaLimit = 100_000_000;
/** How many of the most expensive rules are named. */
const mostNamed = 4;

/** The costs of the rules of one schema: a limit for each, and a total limit. */
export class CostBudget {
  #total = 0;
  #dearest: { readonly path: string; readonly cost: number }[] = [];

  /** `name` is the name of the expression in messages of kube-apiserver. */
  spend(path: string, name: string, cost: number): FieldError[] {
    this.#total += cost;
    if (cost >= schemaLimit / 100) {
      this.#dearest = [...this.#dearest, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, mostNamed);
    }
    return cost > expressionLimit ? [fieldError.forbidden(path, tooDear(name, cost / expressionLimit))] : [];
  }

  /** The problem of all of them together. */
  overrun(path: string): FieldError[] {
    if (this.#total <= schemaLimit) return [];
    const part = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const whole = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#dearest.map(({ path: at }) => fieldError.forbidden(at, part)),
      fieldError.forbidden(path, tooDear(whole, this.#total / schemaLimit)),
    ];
  }
}

function tooDear(name: string, factor: number): string {
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
