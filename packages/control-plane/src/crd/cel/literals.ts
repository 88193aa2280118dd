import { parseGoDuration } from '@fairlead/apimachinery';
import { compilePattern } from '../patterns.ts';
import { parseTimestamp } from './library/time.ts';
import type { Node } from './parse.ts';
import { CompileProblem } from './problems.ts';
import { CelError } from './values.ts';

const literalText = (node: Node | undefined): string | undefined =>
  node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;

/** Literal strings are validated when the rule is written, not when it runs. */
export function checkLiterals(name: string, args: readonly Node[], at: number): void {
  const own = literalText(args[0]);
  if (name === 'duration' && own !== undefined && parseGoDuration(own) === undefined)
    throw new CompileProblem('invalid duration argument', at);
  if (name === 'timestamp' && own !== undefined) {
    try {
      parseTimestamp(own);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      throw new CompileProblem('invalid timestamp argument', at);
    }
  }
  const pattern = name === 'matches' ? literalText(args[1]) : undefined;
  if (pattern !== undefined && compilePattern(pattern) instanceof Error)
    throw new CompileProblem('invalid matches argument', at);
}
