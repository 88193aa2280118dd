import { at, isJsonObject, type Json } from '@fairlead/apimachinery';

type Step =
  | { readonly member: string }
  | { readonly elements: 'all' }
  | { readonly elements: 'where'; readonly key: string; readonly is: string };

const parsed = new Map<string, readonly Step[]>();

/** `a.b[c.d/e][*][type=Ready].f` as steps. Paths come from the rules, so there are few of them. */
function stepsOf(path: string): readonly Step[] {
  let steps = parsed.get(path);
  if (!steps) {
    steps = [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([name, bracketed]) => stepOf(name, bracketed));
    parsed.set(path, steps);
  }
  return steps;
}

function stepOf(name: string, bracketed: string | undefined): Step {
  if (bracketed === '*') return { elements: 'all' };
  const [, key, is] = /^([^=]+)=(.*)$/.exec(bracketed ?? '') ?? [];
  if (key !== undefined && is !== undefined) return { elements: 'where', key, is };
  return { member: bracketed ?? name };
}

/** All values at the path: at most one, unless the path has wildcards. */
export function valuesAt(value: Json | undefined, path: string): readonly Json[] {
  let here: readonly Json[] = value === undefined ? [] : [value];
  for (const step of stepsOf(path)) {
    here = here.flatMap((found) => follow(found, step));
  }
  return here;
}

function follow(value: Json, step: Step): readonly Json[] {
  if ('member' in step) return memberOf(value, step.member);
  if (step.elements === 'all') return elementsOf(value);
  return elementsOf(value).filter((element) => memberOf(element, step.key)[0] === step.is);
}

/** The elements of a list, or the values of a map. */
export const elementsOf = (value: Json | undefined): readonly Json[] => {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
};

function memberOf(value: Json, key: string): readonly Json[] {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return [];
  const member = at(value, key);
  return member === undefined ? [] : [member];
}
