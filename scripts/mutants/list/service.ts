import type { Mutant } from '../mutant.ts';

const src = 'packages/service/src';
const test = 'packages/service/test';

export const service: readonly Mutant[] = [
  {
    name: 'encrypted credentials can be copied to the row of another tenant',
    file: `${src}/cipher.ts`,
    replace: 'decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));',
    by: "decipher.setAAD(Buffer.from('')).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));\n    void context;",
    caughtBy: [`${src}/cipher.test.ts`],
  },
  {
    name: 'the row of credentials is not part of their encryption',
    file: `${src}/cipher.ts`,
    replace:
      '      const wrapped = seal(master, key, `${id} ${place}`);\n      const body = seal(key, Buffer.from(text), place);',
    by: "      const wrapped = seal(master, key, `${id} `);\n      const body = seal(key, Buffer.from(text), '');",
    caughtBy: [`${src}/cipher.test.ts`],
  },
  {
    name: 'a short key protects credentials',
    file: `${src}/cipher.ts`,
    replace: 'if (secret.length < 16)',
    by: 'if (secret.length < 1)',
    caughtBy: [`${src}/cipher.test.ts`],
  },
  {
    name: 'an Operation is claimed while another process works on it',
    file: `${src}/store/operations.ts`,
    replace: 'AND (lease_until IS NULL OR lease_until < ${present} OR lease_owner = ${owner})`;',
    by: 'AND (lease_until IS NULL OR lease_until IS NOT NULL OR lease_owner = ${owner} OR ${present} IS NULL)`;',
    caughtBy: [`${test}/operation-leases.test.ts`],
  },
  {
    name: 'a lease on an Operation counts by the clock of the process',
    file: `${src}/store/operations.ts`,
    replace: 'const present = time ? sql<Date>`${time()}::timestamptz` : databaseTime;',
    by: 'const present = time ? sql<Date>`${time()}::timestamptz` : sql<Date>`${now}::timestamptz`;',
    caughtBy: [`${test}/attacks/skewed-clocks.attacks.test.ts`],
  },
  {
    name: 'an Operation that lost its lease records its end',
    file: `${src}/store/operations.ts`,
    replace: 'WHERE operation_id = ${operation_id} AND lease_owner = ${end.owner}',
    by: 'WHERE operation_id = ${operation_id}',
    caughtBy: [`${test}/operation-leases.test.ts`],
  },
  {
    name: 'a change during an Operation is lost at its end',
    file: `${src}/store/operations.ts`,
    replace: 'UPDATE operation SET reached = ${generation}, state = CASE',
    by: 'UPDATE operation SET reached = operation.generation, state = CASE',
    caughtBy: [`${test}/operation-leases.test.ts`],
  },
  {
    name: 'a lost table deletes the Applications of all tenants',
    file: `${src}/backend/remove-orphans.ts`,
    replace: 'if (orphans.length > brakeAbove && orphans.length > deploymentInformer.size) {',
    by: 'if (orphans.length < 0) {',
    caughtBy: [`${test}/attacks/orphan-rows.attacks.test.ts`],
  },
  {
    name: 'a service account stays in the cluster of a deleted environment',
    file: `${src}/backend/release-account.ts`,
    replace: '    await removeAccount(context, environment, signal);\n',
    by: '',
    caughtBy: [`${test}/attacks/service-account-left-behind.attacks.test.ts`],
  },
  {
    name: 'the flood of a tenant delays the others',
    file: `${src}/flood-throttle.ts`,
    replace: 'if (isAlone || this.#lanes.lengthOf(key) <= floodAbove) return;',
    by: 'if (isAlone || this.#lanes.lengthOf(key) >= 0) return;',
    caughtBy: [`${src}/flood-throttle.test.ts`],
  },
];
