import type { Mutant } from '../mutant.ts';

const src = 'packages/engine/src';

export const engine: readonly Mutant[] = [
  {
    name: 'the values of a Secret are shown in a diff',
    file: `${src}/diff/mask-secrets.ts`,
    replace: "...(data === undefined ? {} : { data: masks.hide('data', data) }),",
    by: '...(data === undefined ? {} : { data }),',
    caughtBy: [`${src}/diff/mask-secrets.test.ts`],
  },
  {
    name: 'the last-applied annotation shows the values of a Secret',
    file: `${src}/diff/mask-secrets.ts`,
    replace: 'return name === lastAppliedAnnotation ? [name, maskLastApplied(text, masks, hidden)] : [name, text];',
    by: 'return [name, text];',
    caughtBy: [`${src}/diff/mask-secrets.test.ts`],
  },
  {
    name: 'the error of a sync quotes the values of a Secret',
    file: `${src}/diff/mask-secrets.ts`,
    replace: '.reduce((shown, value) => shown.replaceAll(value, mask), text);',
    by: '.reduce((shown) => shown, text);',
    caughtBy: [`${src}/diff/mask-secrets.test.ts`, 'packages/app-controller/e2e/app-controller-bad-input.test.ts'],
  },
  {
    name: 'a change that loses a race overwrites the other writer',
    file: `${src}/sync/apply.ts`,
    replace: "const body = { ...patch, metadata: { ...objectAt(patch, 'metadata'), resourceVersion } };",
    by: 'const body = { ...patch };',
    caughtBy: [`${src}/sync/apply.test.ts`],
  },
  {
    name: 'a forced replace deletes the successor of the object',
    file: `${src}/sync/apply.ts`,
    replace: 'const preconditions = live.metadata.uid ? { preconditions: { uid: live.metadata.uid } } : {};',
    by: 'const preconditions = {};',
    caughtBy: [`${src}/sync/apply.test.ts`],
  },
  {
    name: 'a forced replace deletes a Namespace with all that is in it',
    file: `${src}/sync/apply.ts`,
    replace: 'if (force && !isKept) {',
    by: 'if (force) {',
    caughtBy: [`${src}/sync/apply.test.ts`],
  },
  {
    name: 'ignored fields are overwritten by a sync',
    file: `${src}/sync/apply.ts`,
    replace: "ignore.filter((pointer) => pointer !== '/status' && !pointer.startsWith('/status/')),",
    by: '[],',
    caughtBy: [`${src}/sync/apply.test.ts`],
  },
  {
    name: 'prunes run in the order of waves instead of the reverse',
    file: `${src}/sync/plan-sync.ts`,
    replace: 'waves.map((wave, i) => [wave, waves.at(-1 - i)])',
    by: 'waves.map((wave) => [wave, wave])',
    caughtBy: [`${src}/sync/plan-sync.test.ts`],
  },
  {
    name: 'PruneLast has no effect',
    file: `${src}/sync/plan-sync.ts`,
    replace: 'wave: last(task) ? highest :',
    by: 'wave: last(task) && highest < 0 ? highest :',
    caughtBy: [`${src}/sync/plan-sync.test.ts`],
  },
  {
    name: 'a namespace is created after its objects',
    file: `${src}/sync/plan-sync.ts`,
    replace: 'return needed && compareMoments(needed, task) < 0 ?',
    by: 'return needed && compareMoments(needed, task) > 0 ?',
    caughtBy: [`${src}/sync/plan-sync.test.ts`],
  },
];
