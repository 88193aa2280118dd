/**
 * `npm run e2e -- [SUITE] [--kubeconfig FILE] [--argocd FILE] [--argocd-agent FILE] [--agentctl FILE]`: runs the end-to-end suites `packages/*\/e2e/*SUITE*.test.ts`, those of the package SUITE, or
 * all of them, on the embedded control plane or on the cluster of the kubeconfig. The last line is `N passed, M failed, K skipped`.
 */
import { existsSync, globSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { exitAfterOutput, readCommandLine } from './command-line.ts';

const from = process.cwd();
process.chdir(new URL('..', import.meta.url).pathname);
// Most of the time of a short test is spent on loading the same modules, so compiled code is kept between processes.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/node-compile-cache');
const all = globSync('packages/*/e2e/*.test.ts').sort();
const usage = `usage: npm run e2e -- [SUITE] [--kubeconfig FILE] [--argocd FILE] [--argocd-agent FILE] [--agentctl FILE]
suites: ${all.map((file) => basename(file, '.test.ts')).join(', ')}`;
const { values, positionals, refuse } = readCommandLine(usage, {
  kubeconfig: { type: 'string' },
  argocd: { type: 'string' },
  'argocd-agent': { type: 'string' },
  agentctl: { type: 'string' },
});
const [suite = '', extra] = positionals;
const fileOf = (path: string | undefined): string | undefined => {
  const file = path === undefined ? undefined : resolve(from, path);
  return file === undefined || existsSync(file) ? file : refuse(`${file}: no such file`);
};
const kubeconfig = fileOf(values.kubeconfig);
const argocd = fileOf(values.argocd);
const argocdAgent = fileOf(values['argocd-agent']);
const agentctl = fileOf(values.agentctl);
const files = all.filter((file) => basename(file).includes(suite) || file.startsWith(`packages/${suite}/`));
if (files.length === 0) refuse(`unknown suite ${suite}`);
if (extra !== undefined) refuse(`unexpected argument ${extra}: name one suite`);

let passed = 0;
let failed = 0;
const skipped: string[] = [];
// Long suites run only here; `npm test` skips them by name.
const env = {
  ...process.env,
  FAIRLEAD_E2E: '1',
  ...(kubeconfig === undefined ? {} : { FAIRLEAD_E2E_KUBECONFIG: kubeconfig }),
  ...(argocd === undefined ? {} : { FAIRLEAD_E2E_ARGOCD: argocd }),
  ...(argocdAgent === undefined ? {} : { FAIRLEAD_E2E_ARGOCD_AGENT: argocdAgent }),
  ...(agentctl === undefined ? {} : { FAIRLEAD_E2E_AGENTCTL: agentctl }),
};
const stream = run({ files, concurrency: 1, timeout: 900_000, execArgv: ['--no-warnings'], env });
stream.on('test:pass', ({ name, skip, details }) => {
  if (skip !== undefined) skipped.push(typeof skip === 'string' ? `${name}: ${skip}` : name);
  else if (details.type !== 'suite') passed += 1;
});
stream.on('test:fail', ({ details }) => {
  if (details.type !== 'suite') failed += 1;
});
stream.compose(spec).pipe(process.stdout);
stream.on('end', () => {
  setImmediate(() => {
    for (const line of skipped) console.log(`skipped: ${line}`);
    console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
    exitAfterOutput(failed === 0 ? 0 : 1);
  });
});
