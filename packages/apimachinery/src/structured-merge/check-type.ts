import { isObject, type Json, type JsonObject } from '../json/json-value.ts';
import { goSyntax, goText, goType } from '../patch/go-format.ts';
import { itemElement, SchemaMismatch } from './list-items.ts';
import { fieldElement, type PathElement, showElement } from './path-element.ts';
import type { ListShape, MapShape, ScalarShape, Shape } from './shape.ts';

/**
 * Refuses a configuration that does not match its schema: undeclared fields, values of another type, list items that cannot be
 * distinguished. Reports all problems, with the messages of kube-apiserver.
 */
export function checkType(shape: Shape, value: Json): void {
  const problems: string[] = [];
  check(shape, value, '', problems);
  if (problems.length === 1) throw new SchemaMismatch(problems[0]);
  if (problems.length > 1) throw new SchemaMismatch(['errors:', ...problems.map((text) => `  ${text}`)].join('\n'));
}

const report = (problems: string[], path: string, reason: string): void => {
  problems.push(path === '' ? reason : `${path}: ${reason}`);
};

function check(shape: Shape, value: Json, path: string, problems: string[]): void {
  if (value === null || shape.kind === 'any') return;
  if (shape.kind === 'scalar') {
    const problem = scalarProblem(shape, value);
    if (problem) report(problems, path, problem);
  } else if (shape.kind === 'list') {
    if (Array.isArray(value)) checkItems(shape, value, path, problems);
    else report(problems, path, `expected list, got &{${goText(value)}}`);
  } else if (!shape.deduced) {
    if (isObject(value)) checkFields(shape, value, path, problems);
    else report(problems, path, `expected map, got &{${goText(value)}}`);
  }
}

function scalarProblem({ accepts }: ScalarShape, value: Json): string | undefined {
  switch (accepts) {
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`;
    default:
      return typeof value !== 'object' ? undefined : `expected any scalar, got &{${goText(value)}}`;
  }
}

/** The first undeclared field ends the list of problems of its object. */
function checkFields(shape: MapShape, value: JsonObject, path: string, problems: string[]): void {
  for (const [key, child] of Object.entries(value)) {
    const at = `${path}${showElement(fieldElement(key))}`;
    const childShape = shape.fields.get(key)?.shape ?? shape.element;
    if (!childShape) {
      report(problems, at, 'field not declared in schema');
      return;
    }
    check(childShape, child, at, problems);
  }
}

function checkItems(shape: ListShape, items: readonly Json[], path: string, problems: string[]): void {
  const seen = new Set<PathElement>();
  for (const [index, item] of items.entries()) {
    let at = `[${index}]`;
    if (shape.relation !== 'atomic') {
      const element = itemElement(shape, item);
      if (typeof element !== 'string') {
        report(problems, path, `element ${index}: ${element.problem}`);
        return;
      }
      at = showElement(element);
      if (seen.has(element)) report(problems, path, `duplicate entries for key ${at}`);
      seen.add(element);
    }
    check(shape.item, item, `${path}${at}`, problems);
  }
}
