export interface Operator {
  readonly precedence: number;
  readonly rightAssociative?: boolean;
}

export const unaryOperators: ReadonlyMap<string, Operator> = new Map([
  ['not', { precedence: 50 }],
  ['!', { precedence: 50 }],
  ['-', { precedence: 90 }],
  ['+', { precedence: 90 }],
]);

const levels: readonly (readonly [number, string])[] = [
  [0, '|'],
  [10, 'or ||'],
  [15, 'and &&'],
  [20, '== != < > >= <= in matches contains startsWith endsWith'],
  [25, '..'],
  [30, '+ -'],
  [60, '* / %'],
  [100, '** ^'],
  [500, '??'],
];

export const binaryOperators: ReadonlyMap<string, Operator> = new Map(
  levels.flatMap(([precedence, names]) =>
    names.split(' ').map((name) => [name, { precedence, rightAssociative: precedence === 100 }] as const),
  ),
);

export const isComparison = (operator: string): boolean => /^[<>]=?$/u.test(operator);
/** Operators that `not` may stand before: `not in`. */
export const isNegatable = (operator: string): boolean =>
  ['contains', 'matches', 'startsWith', 'endsWith', 'in'].includes(operator);
