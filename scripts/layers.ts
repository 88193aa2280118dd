/**
 * `npm run layers`: checks the borders between packages. Fails with a line for each deep import, undeclared dependency,
 * import cycle and import against the order of packages.
 */
import { importCycles } from './layers/cycles.ts';
import { deepImports } from './layers/deep-imports.ts';
import { undeclaredDependencies } from './layers/dependencies.ts';
import { wrongDirections } from './layers/direction.ts';
import { readWorkspace, type Violation } from './layers/workspace.ts';

const workspace = readWorkspace(new URL('..', import.meta.url).pathname);
const checks = [deepImports, undeclaredDependencies, importCycles, wrongDirections];
const violations: Violation[] = checks.flatMap((check) => check(workspace));
for (const { where, message } of violations) console.error(`${where}: ${message}`);
const kinds: Violation['kind'][] = ['deep-import', 'dependency', 'cycle', 'direction'];
const counts = kinds.map((kind) => `${kind} ${violations.filter((violation) => violation.kind === kind).length}`);
console.log(counts.join(', '));
if (violations.length > 0) process.exit(1);
