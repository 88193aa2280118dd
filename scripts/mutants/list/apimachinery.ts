import type { Mutant } from '../mutant.ts';

const src = 'packages/apimachinery/src';

export const apimachinery: readonly Mutant[] = [
  {
    name: 'a rule for one object counts as a rule for all',
    file: `${src}/access/policy-rule.ts`,
    replace: '(isEmpty(owner.resourceNames) ||',
    by: '(isEmpty(part.resourceNames) ||',
    caughtBy: ['packages/control-plane/src/access/escalation.test.ts', `${src}/access/policy-rule.test.ts`],
  },
  {
    name: 'an IPv6 form of a private IPv4 address counts as public',
    file: `${src}/urls/network-kind.ts`,
    replace: "    ['64:ff9b::', 96],\n",
    by: '',
    caughtBy: [`${src}/urls/network-kind.test.ts`],
  },
  {
    name: 'the address of a cloud metadata service counts as public',
    file: `${src}/urls/network-kind.ts`,
    replace: "    ['169.254.0.0', 16],\n",
    by: '',
    caughtBy: [`${src}/urls/network-kind.test.ts`],
  },
  {
    name: 'the case of an address evades a pattern of a project',
    file: `${src}/urls/permission-pattern.ts`,
    replace: "    .replace(/\\.git$/u, '')\n    .toLowerCase();",
    by: "    .replace(/\\.git$/u, '');",
    caughtBy: [`${src}/urls/repository-url.test.ts`],
  },
  {
    name: 'server-side apply takes a field from its manager without force',
    file: `${src}/structured-merge/apply-configuration.ts`,
    replace: "if (manager !== 'kubectl' || !this.#live) throw conflictError(conflicts);",
    by: 'if (!this.#live) throw conflictError(conflicts);\n    if (manager) return this.#apply(managers, true);',
    caughtBy: [`${src}/structured-merge/apply-configuration.test.ts`],
  },
  {
    name: 'thirty operations of a JSON patch copy a gigabyte',
    file: `${src}/patch/json-patch.ts`,
    replace: 'if (this.#copied > maxCopied) throw rejected();',
    by: '',
    caughtBy: [`${src}/patch/json-patch.test.ts`],
    hangs: true,
  },
  {
    name: 'a glob takes exponential time',
    file: `${src}/glob/linear-matcher.ts`,
    replace: 'if (instruction === undefined || seen[at] === round) continue;',
    by: 'if (instruction === undefined) continue;',
    caughtBy: [`${src}/glob/attacks-glob.test.ts`],
    hangs: true,
  },
];
