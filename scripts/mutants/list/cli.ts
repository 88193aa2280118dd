import type { Mutant } from '../mutant.ts';

const src = 'packages/cli/src';

export const cli: readonly Mutant[] = [
  {
    name: 'a part that does not stop keeps the others running',
    file: `${src}/shutdown-sequence.ts`,
    replace: 'console.error(`fairlead: ${name} did not stop cleanly: ${messageOf(error)}`);',
    by: 'throw error;',
    caughtBy: [`${src}/shutdown-sequence.test.ts`],
  },
  {
    name: 'parts are stopped before those that need them',
    file: `${src}/shutdown-sequence.ts`,
    replace: 'this.#steps.splice(0).toReversed()',
    by: 'this.#steps.splice(0)',
    caughtBy: [`${src}/shutdown-sequence.test.ts`],
  },
  {
    name: 'an install overwrites what Helm manages',
    file: `${src}/other-manager.ts`,
    replace: 'if (annotation) return `annotation ${annotation}`;',
    by: '',
    caughtBy: [`${src}/other-manager.test.ts`],
  },
];
