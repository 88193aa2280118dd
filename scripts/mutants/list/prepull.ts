import type { Mutant } from '../mutant.ts';

const src = 'packages/prepull/src';

export const prepull: readonly Mutant[] = [
  {
    name: 'a rollout starts before enough nodes have its image',
    file: `${src}/gate/gate-decision.ts`,
    replace: 'if (total > 0 && completed >= needed) {',
    by: 'if (total > 0 && completed >= 1) {',
    caughtBy: [`${src}/policy/policy.test.ts`],
  },
  {
    name: 'a rollout waits beyond its deadline',
    file: `${src}/gate/gate-decision.ts`,
    replace: 'if (waitedMs >= settings.deadlineMs) {',
    by: 'if (waitedMs >= 2 * settings.deadlineMs) {',
    caughtBy: [`${src}/policy/policy.test.ts`],
  },
  {
    name: 'more pulls run on a node than its limit',
    file: `${src}/pull/pull-limits.ts`,
    replace: 'return (this.#counts[by].get(name) ?? 0) >= (this.limits[by] ?? Infinity);',
    by: 'return (this.#counts[by].get(name) ?? 0) > (this.limits[by] ?? Infinity);',
    caughtBy: ['packages/prepull/test/limits.test.ts', 'sim/prepull-limits'],
  },
  {
    name: 'a process that no longer leads starts pulls',
    file: `${src}/pull/pull-starter.ts`,
    replace: 'if (!this.#signal || this.#signal.aborted || !this.#options.isLeader()) return;',
    by: 'if (!this.#signal || this.#signal.aborted) return;',
    caughtBy: [`${src}/pull/pull-starter.test.ts`],
  },
  {
    name: 'the slot of a pull whose request got no answer is free again',
    file: `${src}/pull/pull-starter.ts`,
    replace: 'if (slot && slot.uids.size === 0 && !slot.starting) this.#release(keyOf(job));',
    by: 'if (slot) this.#release(keyOf(job));',
    caughtBy: [`${src}/pull/pull-starter.test.ts`],
  },
  {
    name: 'a failed pull is retried without a pause',
    file: `${src}/pull/plan-pulls.ts`,
    replace: 'const dueAt = failedAt === undefined ? 0 : failedAt + settings.backoffMs;',
    by: 'const dueAt = failedAt === undefined ? 0 : failedAt;',
    caughtBy: [`${src}/pull/pull.test.ts`],
  },
  {
    name: 'a failed pull is retried forever',
    file: `${src}/pull/plan-pulls.ts`,
    replace: "const status = retryCount >= settings.maxAttempts ? 'Failed' : 'Pending';",
    by: "const status = retryCount < 0 ? 'Failed' : 'Pending';",
    caughtBy: [`${src}/pull/pull.test.ts`],
  },
];
