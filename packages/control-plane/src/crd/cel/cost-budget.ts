import { type FieldError, fieldError } from '@fairlead/apimachinery';

/** What one rule may cost for one object, times all the places where it applies. */
const expressionLimit = 10_000_000;
/** What all rules of a schema may cost together. */
const schemaLimit = 100_000_000;
/** How many of the most expensive rules are named. */
const mostNamed = 4;

/** The costs of the rules of one schema: each is held to a limit, and all together to another. */
export class CostBudget {
  #total = 0;
  #dearest: { readonly path: string; readonly cost: number }[] = [];

  /** `name` is what the server calls the expression. */
  spend(path: string, name: string, cost: number): FieldError[] {
    this.#total += cost;
    if (cost >= schemaLimit / 100) {
      this.#dearest = [...this.#dearest, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, mostNamed);
    }
    return cost > expressionLimit ? [fieldError.forbidden(path, tooDear(name, cost / expressionLimit))] : [];
  }

  /** What is wrong with all of them together. */
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
