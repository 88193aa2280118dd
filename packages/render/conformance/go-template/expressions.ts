import { readFileSync } from 'node:fs';
import type { CaseResult } from '../../../../scripts/conformance.ts';
import { type Expression, renderExpression } from '../../src/helm/render-expression.ts';

/** A template set, the dot it is rendered with, and the output of Go. */
export interface ExpressionCase extends Expression {
  readonly name: string;
  readonly group: string;
  readonly soft?: boolean;
  readonly expected: {
    readonly output?: string;
    readonly output_base64?: string;
    readonly error?: boolean;
    readonly message?: string;
    readonly message_contains?: string;
  };
}

export async function* runExpressions(file: string, only: string | undefined): AsyncIterable<CaseResult> {
  for (const theCase of JSON.parse(readFileSync(file, 'utf8')) as ExpressionCase[]) {
    const group = `expressions/${theCase.group}`;
    if (only && !`${group}/${theCase.name}`.includes(only)) continue;
    yield { group, name: theCase.name, ...check(theCase) };
  }
}

function check(theCase: ExpressionCase): Pick<CaseResult, 'passed' | 'exact' | 'detail'> {
  const { expected } = theCase;
  let output: Buffer;
  try {
    output = Buffer.from(renderExpression(theCase));
  } catch (error) {
    return checkError((error as Error).message, expected);
  }
  if (expected.error)
    return { passed: false, detail: `should fail: ${expected.message}\nours   ${JSON.stringify(`${output}`)}` };
  const theirs =
    expected.output_base64 === undefined
      ? Buffer.from(expected.output ?? '')
      : Buffer.from(expected.output_base64, 'base64');
  const exact = output.equals(theirs);
  if (exact || theCase.soft) return { passed: true, exact };
  return { passed: false, detail: `ours   ${JSON.stringify(`${output}`)}\ntheirs ${JSON.stringify(`${theirs}`)}` };
}

function checkError(
  message: string,
  expected: ExpressionCase['expected'],
): Pick<CaseResult, 'passed' | 'exact' | 'detail'> {
  if (!expected.error)
    return { passed: false, detail: `failed: ${message}\ntheirs ${JSON.stringify(expected.output)}` };
  const exact = expected.message_contains === undefined || message.includes(expected.message_contains);
  return exact ? { passed: true, exact } : { passed: true, detail: `ours   ${message}\ntheirs ${expected.message}` };
}
