import type { Structural } from '@fairlead/apimachinery';
import { type Finding, invalid, isInteger, named, overall } from './finding.ts';

/** The problems of a number: its range for the type, then multipleOf, minimum and maximum. */
export function numberFindings(value: number, schema: Structural, path: string): Finding[] {
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const findings: Finding[] = [];
  const range = (number: number, what: string): boolean => {
    const problem = rangeProblem(number, schema, what, path);
    if (problem) findings.push(overall(problem));
    return problem === undefined;
  };
  range(value, 'Checked');
  // A bound on an integer is truncated to an integer if it fits the type.
  const bound = (number: number, fits: boolean): number => (fits && isInteger(value) ? Math.trunc(number) : number);

  if (multipleOf !== undefined) {
    const factor = bound(multipleOf, range(multipleOf, 'MultipleOf'));
    if (factor <= 0)
      findings.push(invalid(path, factor, `factor MultipleOf declared for ${path} must be positive: ${factor}`));
    else if (!isMultiple(value, factor))
      findings.push(invalid(path, value, `${named(path)} should be a multiple of ${factor}`));
  }
  if (minimum !== undefined) {
    const least = bound(minimum, range(minimum, 'Minimum boundary'));
    if (exclusiveMinimum ? value <= least : value < least)
      findings.push(
        invalid(path, value, `${named(path)} should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${least}`),
      );
  }
  if (maximum !== undefined) {
    const most = bound(maximum, range(maximum, 'Maximum boundary'));
    if (exclusiveMaximum ? value >= most : value > most)
      findings.push(
        invalid(path, value, `${named(path)} should be less than ${exclusiveMaximum ? '' : 'or equal to '}${most}`),
      );
  }
  return findings;
}

function isMultiple(value: number, factor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

function rangeProblem(value: number, schema: Structural, what: string, path: string): string | undefined {
  const { type, format } = schema;
  if (schema.intOrString) return undefined;
  if (type === 'integer') {
    const small = format === 'int32';
    const limit = small ? 2 ** 31 : 2 ** 63;
    if (Number.isInteger(value) && value >= -limit && value < limit + (small ? 0 : 1)) return undefined;
    const known = small || format === 'int64';
    return `${what} value must be of type integer ${known ? `with format ${format}` : '(default format)'} in ${path}`;
  }
  if (type === 'number' && format === 'float' && Math.abs(value) > 3.4028234663852886e38)
    return `${what} value must be of type number with format float in ${path}`;
  return undefined;
}
