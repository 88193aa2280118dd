/**
 * `npm run conformance -- SUITE DIR [--failures] [--only TEXT] [--kubeconfig FILE] [--kubectl FILE]`: runs a data suite over any folder of that layout.
 * The last line is `N passed, M failed`; the exit code is 1 on any failure.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCommandLine } from './command-line.ts';

/** What a suite reports for each case. `exact` is a stricter level than passing, where a suite has one. */
export interface CaseResult {
  readonly name: string;
  readonly group: string;
  readonly passed: boolean;
  readonly exact?: boolean;
  /** Why it failed, in a line or a few. */
  readonly detail?: string;
}

export interface SuiteOptions {
  readonly dir: string;
  /** Only cases whose `group/name` contains this. */
  readonly only?: string;
  readonly kubeconfig?: string;
  /** The kubectl to try; the newest on the machine unless given. */
  readonly kubectl?: string;
}

export type Suite = (options: SuiteOptions) => AsyncIterable<CaseResult>;

const suites: Record<string, string> = {
  crds: '../packages/api/conformance/crds.ts',
  'kubernetes-api': '../packages/control-plane/conformance/kubernetes-api.ts',
  'kubernetes-objects': '../packages/control-plane/conformance/kubernetes-objects.ts',
  'go-template': '../packages/render/conformance/go-template.ts',
  kustomize: '../packages/render/conformance/kustomize.ts',
  helm: '../packages/render/conformance/helm.ts',
  health: '../packages/engine/conformance/health.ts',
  'image-updater': '../packages/images/conformance/image-updater.ts',
};

const usage = `usage: npm run conformance -- SUITE DIR [--failures] [--only TEXT] [--kubeconfig FILE] [--kubectl FILE]
suites: ${Object.keys(suites).join(', ')}`;
const { values, positionals, refuse } = readCommandLine(usage, {
  failures: { type: 'boolean' },
  only: { type: 'string' },
  kubeconfig: { type: 'string' },
  kubectl: { type: 'string' },
});
const [name = '', dir = ''] = positionals;
const path = suites[name] ?? refuse(name && `there is no suite ${name}`);
if (dir === '') refuse('DIR is missing: the folder with the cases');
if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) refuse(`${dir}: no such folder`);

const { suite } = (await import(path)) as { suite: Suite };
const groups = new Map<string, { passed: number; exact: number; total: number }>();
let passed = 0;
let failed = 0;
function count(result: CaseResult): void {
  const group = groups.get(result.group) ?? { passed: 0, exact: 0, total: 0 };
  groups.set(result.group, group);
  group.total += 1;
  if (result.passed) {
    passed += 1;
    group.passed += 1;
  } else {
    failed += 1;
    if (values.failures)
      console.log(`✖ ${result.group}/${result.name}\n${(result.detail ?? '').replace(/^/gm, '    ')}`);
  }
  if (result.exact) group.exact += 1;
}

const options: SuiteOptions = {
  dir,
  ...(values.only ? { only: values.only } : {}),
  ...(values.kubeconfig ? { kubeconfig: values.kubeconfig } : {}),
  ...(values.kubectl ? { kubectl: values.kubectl } : {}),
};
try {
  for await (const result of suite(options)) count(result);
} catch (error) {
  const { code, path: missing } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && missing && resolve(missing).startsWith(resolve(dir)))
    refuse(`${missing}: not there, as it would be with cases of ${name}`);
  throw error;
}
for (const [group, counts] of groups) {
  const exact = counts.exact > 0 ? `, ${counts.exact} exact` : '';
  console.log(`${group}: ${counts.passed} of ${counts.total}${exact}`);
}
if (passed + failed === 0)
  console.error(`${dir}: no case of ${name}${values.only ? ` named ${values.only}` : ''} there`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(passed > 0 && failed === 0 ? 0 : 1);
