import type { Node } from './parse.ts';

/** An expression that does not type-check; `at` is the position in the text. */
export class CompileProblem extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** The position of an error in CEL: the operator, the dot, the parenthesis of a call. */
export function placeOf(node: Node): number {
  const start = node.start ?? 0;
  switch (node.op) {
    case 'value':
    case 'id':
    case 'list':
    case 'map':
    case '!_':
    case '-_':
      return start;
    case 'call':
      return start + node.args[0].length;
    case 'rcall':
      return (node.args[1].end ?? start) + 1 + node.args[0].length;
    default:
      return node.args[0].end ?? start;
  }
}

/** A problem in the format of CEL, with the line and a mark below it. */
export function showProblem(source: string, message: string, place: number): string {
  const rest = source.slice(place);
  const at = place + rest.length - rest.replace(/^ */, '').length;
  const before = source.slice(0, at).split('\n');
  const line = source.split('\n')[before.length - 1] ?? '';
  const column = before.at(-1)?.length ?? 0;
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
