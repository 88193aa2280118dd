/** `npm run casts`: type assertions in product code, by package and in total, with their limits. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { limits, measured } from './casts/product.ts';

process.chdir(new URL('..', import.meta.url).pathname);
const files = execFileSync('git', ['ls-files', 'packages', 'scripts'], { encoding: 'utf8' }).split('\n');
const read = (file: string): string => readFileSync(file, 'utf8');
const packages = Map.groupBy(files, (file) => file.split('/').slice(0, 2).join('/'));
for (const [name, own] of packages) {
  if (!name.startsWith('packages/')) continue;
  const { casts, throughUnknown, nonNull } = measured(own, read);
  console.log(`${name}: ${casts} casts, ${throughUnknown} through unknown, ${nonNull} non-null`);
}
const total = measured(files, read);
console.log(
  `total: ${total.casts} casts (at most ${limits.casts}), ${total.throughUnknown} through unknown (${limits.throughUnknown}), ${total.nonNull} non-null (${limits.nonNull})`,
);
