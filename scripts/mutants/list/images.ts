import type { Mutant } from '../mutant.ts';

const src = 'packages/images/src';

export const images: readonly Mutant[] = [
  {
    name: 'a webhook of a registry needs no secret',
    file: `${src}/webhook/proof.ts`,
    replace: "if (!sameText(sent, secret)) refuse('the secret of the request is wrong');",
    by: '',
    caughtBy: [`${src}/webhook/webhook-server.test.ts`],
  },
  {
    name: 'the signature of a registry webhook is not compared',
    file: `${src}/webhook/proof.ts`,
    replace: "if (!signature.startsWith('sha256=')) return false;",
    by: "if (signature.startsWith('sha256=')) return true;",
    caughtBy: [`${src}/webhook/proof.test.ts`],
  },
  {
    name: 'an event of a registry is acknowledged before it is stored',
    file: `${src}/webhook/server.ts`,
    replace: 'if (events.length > 0) await handler.accept(events);',
    by: 'if (events.length > 0) void handler.accept(events).catch(() => {});',
    caughtBy: [`${src}/webhook/webhook-server.test.ts`],
  },
  {
    name: 'an event of a registry that could not be handled is forgotten',
    file: `${src}/webhook/event-queue.ts`,
    replace: '      this.#waiting = [...batch, ...this.#waiting];\n',
    by: '',
    caughtBy: [`${src}/webhook/webhook-server.test.ts`],
    hangs: true,
  },
  {
    name: 'the comparison of tags never yields to other work',
    file: `${src}/tags/time-slices.ts`,
    replace: 'elapsed < sliceMs; elapsed',
    by: 'elapsed < 100 * sliceMs; elapsed',
    caughtBy: [`${src}/tags/time-slices.test.ts`],
  },
  {
    name: 'tags of one project are compared before those of others',
    file: `${src}/tags/time-slices.ts`,
    replace:
      '      this.#lanes.delete(lane);\n      if (waiting[0]?.advance()) waiting.shift();\n      if (waiting.length > 0) this.#lanes.set(lane, waiting);\n',
    by: '      if (waiting[0]?.advance()) waiting.shift();\n      if (waiting.length === 0) this.#lanes.delete(lane);\n',
    caughtBy: [`${src}/tags/time-slices.test.ts`],
  },
  {
    name: 'an older image replaces a newer one',
    file: `${src}/update/decide-update.ts`,
    replace: 'if (newer && !renamed)',
    by: 'if (newer && renamed)',
    caughtBy: [`${src}/update/decide-update.test.ts`],
  },
  {
    name: 'an image is updated without its signature',
    file: `${src}/update/decide-update.ts`,
    replace: 'const pinned = rule.verification ? await verify() : latest.digest;',
    by: 'const pinned = rule.verification ? latest.digest : latest.digest;\n  void verify;',
    caughtBy: [`${src}/update/decide-update.test.ts`],
  },
  {
    name: 'ignore-tags has no effect',
    file: `${src}/tags/tag-filter.ts`,
    replace: 'return pattern === undefined ? undefined : `ignore-tags ${pattern} matches`;',
    by: 'return pattern === undefined ? undefined : undefined;',
    caughtBy: [`${src}/tags/select-tag.test.ts`],
  },
  {
    name: 'an update that a person has reverted is written again',
    file: `${src}/git/rollback.ts`,
    replace: '  if (!revert) return undefined;\n',
    by: "  if (!revert || revert.id !== '') return undefined;\n",
    caughtBy: ['packages/images/test/git-writer.test.ts'],
  },
  {
    name: 'requests to a registry are not limited',
    file: `${src}/registry/request-gate.ts`,
    replace: 'if (wait > 0) await sleep(clock, wait);',
    by: '',
    caughtBy: [`${src}/registry/request-gate.test.ts`],
  },
];
