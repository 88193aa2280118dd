import type { Structural, ValidationRule } from '@fairlead/apimachinery';
import { parseFieldPath } from '../field-path.ts';
import { compile } from './compile.ts';
import { SyntaxProblem, UnsupportedSyntax } from './parse.ts';
import { CompileProblem, showProblem } from './problems.ts';
import { Scope, type Step } from './scope.ts';
import { type Type, types } from './types.ts';

/** A compiled rule of a schema, or the reason why it does not compile. */
export interface CompiledRule {
  readonly source: ValidationRule;
  readonly usesOldSelf: boolean;
  readonly fieldPath: string;
  readonly test?: Step;
  readonly message?: Step;
  /** The rule is invalid: a CRD with it is rejected. */
  readonly problem?: string;
  readonly messageProblem?: string;
  /** The rule may be valid, but cannot be evaluated here: it is named wherever it would apply. */
  readonly unsupported?: string;
}

export function compileRule(source: ValidationRule, type: Type, schema: Structural): CompiledRule {
  const oldSelf = source.optionalOldSelf ? types.optional(type) : type;
  const path = source.fieldPath ? parseFieldPath(source.fieldPath, schema) : undefined;
  const scope = Scope.of({ self: type, oldSelf });
  const test = attempt(source.rule, scope, 'bool', 'cel expression must evaluate to a bool');
  const message = source.messageExpression
    ? attempt(
        source.messageExpression,
        Scope.of({ self: type, oldSelf }),
        'string',
        'messageExpression must evaluate to a string',
      )
    : {};
  return {
    source,
    usesOldSelf: scope.used.has('oldSelf'),
    fieldPath: typeof path === 'object' ? path.path : '',
    ...(test.step ? { test: test.step } : {}),
    ...(test.problem ? { problem: test.problem } : {}),
    ...(test.unsupported ? { unsupported: test.unsupported } : {}),
    ...(message.step ? { message: message.step } : {}),
    ...(message.problem ? { messageProblem: message.problem } : {}),
  };
}

interface Attempt {
  readonly step?: Step;
  readonly problem?: string;
  readonly unsupported?: string;
}

function attempt(source: string, scope: Scope, expected: Type['kind'], otherwise: string): Attempt {
  try {
    const step = compile(source.trim() === '' ? 'true' : source, scope);
    // Schemaless parts can have any type until the rule runs.
    return step.type.kind === expected || step.type.kind === 'dyn' ? { step } : { problem: otherwise };
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return { unsupported: error.message };
    if (!(error instanceof CompileProblem) && !(error instanceof SyntaxProblem)) throw error;
    return { problem: `compilation failed: ${showProblem(source, error.message, error.at)}` };
  }
}
