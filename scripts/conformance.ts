/**
 * `npm run conformance -- SUITE DIR [--failures] [--only TEXT] [--every N] [--kubeconfig FILE] [--kubectl FILE] [--argocd FILE]`: runs a data suite over any folder of that layout.
 * The last line is `N passed, M failed`, with `, K skipped` if this machine cannot decide some cases; the exit code is 1 on any failure.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitAfterOutput, readCommandLine } from './command-line.ts';
import { type CaseResult, type Suite, type SuiteOptions, suites } from './conformance/suite.ts';
import { Tally } from './conformance/tally.ts';

export type { CaseResult, Suite, SuiteOptions };

const usage = `usage: npm run conformance -- SUITE DIR [--failures] [--only TEXT] [--every N] [--kubeconfig FILE] [--kubectl FILE] [--argocd FILE]
suites: ${[...suites.keys()].join(', ')}`;
const { values, positionals, refuse } = readCommandLine(usage, {
  failures: { type: 'boolean' },
  only: { type: 'string' },
  every: { type: 'string' },
  kubeconfig: { type: 'string' },
  kubectl: { type: 'string' },
  argocd: { type: 'string' },
});
const [name = '', dir = ''] = positionals;
const path = suites.get(name) ?? refuse(name && `unknown suite ${name}`);
if (dir === '') refuse('DIR is missing: the folder with the cases');
if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) refuse(`${dir}: no such folder`);

function positive(text: string): number {
  const count = Number(text);
  return Number.isInteger(count) && count > 0 ? count : refuse(`--every ${text}: not a positive number`);
}

function existingFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? resolve(path) : refuse(`${path}: no such file`);
}

function missingFile(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  return error.code === 'ENOENT' ? String(error.path) : undefined;
}

const { suite } = (await import(`../${path}`)) as { suite: Suite };
const options: SuiteOptions = {
  dir,
  ...(values.only ? { only: values.only } : {}),
  ...(values.every ? { every: positive(values.every) } : {}),
  ...(values.kubeconfig ? { kubeconfig: values.kubeconfig } : {}),
  ...(values.kubectl ? { kubectl: values.kubectl } : {}),
  ...(values.argocd ? { argocd: existingFile(values.argocd) } : {}),
};
const tally = new Tally();
try {
  for await (const result of suite(options)) {
    tally.add(result);
    if (values.failures && !result.passed && result.skipped === undefined)
      console.log(`✖ ${result.group}/${result.name}\n${(result.detail ?? '').replace(/^/gm, '    ')}`);
  }
} catch (error) {
  const missing = missingFile(error);
  if (missing !== undefined && resolve(missing).startsWith(resolve(dir)))
    refuse(`${missing}: no such file; is ${dir} a folder with cases of ${name}?`);
  throw error;
}
const { passed, failed, skipped } = tally.counts();
if (passed + failed + skipped === 0)
  console.error(`${dir}: no cases of ${name}${values.only ? ` whose name contains ${values.only}` : ''}`);
for (const line of tally.lines()) console.log(line);
exitAfterOutput(passed + skipped > 0 && failed === 0 ? 0 : 1);
