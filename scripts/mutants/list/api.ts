import type { Mutant } from '../mutant.ts';

const src = 'packages/api/src';

export const api: readonly Mutant[] = [
  {
    name: 'a required field may be missing',
    file: `${src}/validate.ts`,
    replace: 'if (value[name] !== undefined) continue;',
    by: 'if (value[name] === undefined) continue;',
    caughtBy: [`${src}/validate.test.ts`],
  },
  {
    name: 'a value outside of an enumeration is accepted',
    file: `${src}/validate.ts`,
    replace: 'if (schema.enum && !schema.enum.includes(value as never)) {',
    by: 'if (schema.enum && schema.enum.length === 0) {',
    caughtBy: [`${src}/validate.test.ts`],
  },
];
