import type { Mutant } from '../mutant.ts';

const src = 'packages/server/src';

export const server: readonly Mutant[] = [
  {
    name: 'a denial of a policy has no effect after a permission',
    file: `${src}/rbac/evaluator.ts`,
    replace: "if (permission.effect === 'deny') return false;",
    by: "if (permission.effect === 'deny' && !allowed) return false;",
    caughtBy: [`${src}/rbac/enforcer.test.ts`],
  },
  {
    name: 'an invalid pattern of a policy allows',
    file: `${src}/rbac/evaluator.ts`,
    replace: 'if (error instanceof InvalidPattern) return false;',
    by: 'if (error instanceof InvalidPattern) return true;',
    caughtBy: [`${src}/rbac/enforcer.test.ts`],
  },
  {
    name: 'a token of a project reads the objects of another project',
    file: `${src}/rbac/enforcer.ts`,
    replace: 'if (project && token && token.project !== project.metadata.name) return false;',
    by: '',
    caughtBy: [`${src}/rbac/enforcer.test.ts`],
  },
  {
    name: 'a group without a role has permissions',
    file: `${src}/rbac/enforcer.ts`,
    replace: '(group) => evaluator.isGrouped(group) && this.#allowsNamed(evaluator, group, request),',
    by: '(group) => this.#allowsNamed(evaluator, group, request),',
    caughtBy: [`${src}/rbac/enforcer.test.ts`],
  },
  {
    name: 'a token with a wrong signature opens a session',
    file: `${src}/session/jwt.ts`,
    replace: 'if (given.length !== expected.length || !timingSafeEqual(given, expected)) {',
    by: 'if (given.length !== expected.length) {',
    caughtBy: [`${src}/session/verify-token.test.ts`],
  },
  {
    name: 'a session that has expired goes on',
    file: `${src}/session/jwt.ts`,
    replace: "...problem('exp', (seconds) => nowSeconds >= seconds, 'token is expired'),",
    by: '',
    caughtBy: [`${src}/session/verify-token.test.ts`],
  },
  {
    name: 'a revoked token opens a session',
    file: `${src}/session/verify-token.ts`,
    replace: "if (context.isRevoked(id)) throw new TokenError('token is revoked, please re-login');",
    by: '',
    caughtBy: [`${src}/session/verify-token.test.ts`],
  },
  {
    name: 'a session outlives a change of its password',
    file: `${src}/session/verify-token.ts`,
    replace: 'if (account.passwordChangedAt !== undefined && issued * 1_000 < account.passwordChangedAt) {',
    by: 'if (account.passwordChangedAt !== undefined && issued < 0) {',
    caughtBy: [`${src}/session/verify-token.test.ts`],
  },
  {
    name: 'a pattern of a part of a project covers all of it',
    file: `${src}/rbac/project-reach.ts`,
    replace: "return isOpenEnded && matches(start) ? 'all' : 'some';",
    by: "return isOpenEnded || matches(start) ? 'all' : 'some';",
    caughtBy: [`${src}/rbac/project-reach.test.ts`],
  },
  {
    name: 'a denial of a part of a project is ignored for lists',
    file: `${src}/rbac/evaluator.ts`,
    replace: "if (deny.has('some') || (mode",
    by: 'if ((mode',
    caughtBy: [`${src}/rbac/project-reach.test.ts`],
  },
  {
    name: 'a client of the event stream receives Applications that it may not see',
    file: `${src}/fleet/stream/stream-view.ts`,
    replace: 'matchesFilter(filter, record) && viewer.allows(record)',
    by: 'matchesFilter(filter, record)',
    caughtBy: ['packages/server/test/fleet-stream.test.ts'],
  },
  {
    name: 'a stream continues after an id of another process',
    file: `${src}/fleet/stream/event-log.ts`,
    replace: 'if (name !== this.#name || more.length > 0',
    by: 'if (more.length > 0',
    caughtBy: ['packages/server/test/fleet-resume.test.ts'],
  },
  {
    name: 'an event stream outlives its session',
    file: `${src}/fleet/stream/rights-watch.ts`,
    replace: 'if (context.signal.aborted || !(await isSessionValid(server, headers, context))) return;',
    by: 'if (context.signal.aborted) return;',
    caughtBy: ['packages/server/test/fleet-stream.test.ts'],
  },
  {
    name: 'a bulk action reports whether a hidden Application exists',
    file: `${src}/fleet/bulk/plan-bulk.ts`,
    replace:
      "if (!application || !access.allows(context.caller, 'get', application)) return refused('permission denied');",
    by: "if (!application) return refused('permission denied');",
    caughtBy: ['packages/server/test/fleet-bulk.test.ts'],
  },
];
