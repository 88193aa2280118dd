import { GoError, type GoMap, type GoValue } from '@fairlead/render/go-template';
import { EvalBudget, type EvalLimits } from './budget.ts';
import { checkExpression } from './check.ts';
import { Evaluation, type Trace } from './evaluate.ts';
import { ExprError } from './expr-error.ts';
import { foldConstants } from './fold.ts';
import { parseExpression } from './parser.ts';
import { EvalFailure } from './values.ts';

export interface Expression {
  readonly text: string;
  /** Throws ExprError. Errors that functions of the environment throw for other reasons pass through. */
  run(environment: GoMap, options: { readonly now: () => number; readonly limits?: EvalLimits }): GoValue;
}

const maxLength = 20_000;

/** Compiles an expression of the language of Argo CD's triggers. Throws ExprError if it is invalid. */
export function compileExpression(text: string): Expression {
  const source = [...text];
  if (source.length > maxLength) throw new ExprError(`the expression has more than ${maxLength} characters`, [], 0);
  const tree = parseExpression(source);
  checkExpression(tree, source);
  const folded = foldConstants(tree, source);
  return {
    text,
    run(environment, { now, limits }) {
      const trace: Trace = { failedAt: undefined };
      try {
        return new Evaluation(environment, { now, budget: new EvalBudget(limits), trace }).evaluate(folded);
      } catch (error) {
        if (error instanceof EvalFailure || error instanceof GoError || error instanceof RangeError)
          throw new ExprError(error.message, source, trace.failedAt ?? 0);
        throw error;
      }
    },
  };
}
