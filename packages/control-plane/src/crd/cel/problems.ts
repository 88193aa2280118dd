import type { Node } from './parse.ts';

/** An expression that does not go together; `at` is where in the text. */
export class CompileProblem extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

export const placeOf = (node: Node): number => node.pos ?? node.start ?? 0;

/** A problem as CEL shows it, with the line and a mark below it. */
export function showProblem(source: string, message: string, at: number): string {
  const before = source.slice(0, at).split('\n');
  const line = source.split('\n')[before.length - 1] ?? '';
  const column = before.at(-1)!.length;
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
