import { globSync } from 'node:fs';

/** Every test file of the workspace, relative to its root, which must be the working directory. */
export const testFiles = (): string[] =>
  globSync(['packages/*/{src,test,e2e,conformance}/**/*.test.ts', 'scripts/**/*.test.ts']).sort();
