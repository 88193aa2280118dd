import type { Mutant } from '../mutant.ts';

const src = 'packages/render/src';

export const render: readonly Mutant[] = [
  {
    name: 'a path leads out of the repository',
    file: `${src}/tree/tree.ts`,
    replace:
      "    else if (names.pop() === undefined)\n      throw new RenderError('PathOutsideTree', `path ${path} leads out of the repository`);",
    by: '    else if (names.pop() === undefined) continue;',
    caughtBy: ['packages/render/test/hostile.test.ts'],
  },
  {
    name: 'a template runs forever',
    file: `${src}/go-template/limits.ts`,
    replace: 'if (--this.steps < 0) throw',
    by: 'if (--this.steps < -Infinity) throw',
    caughtBy: ['packages/render/test/hostile.test.ts'],
    hangs: true,
  },
  {
    name: 'the output of templates has no limit',
    file: `${src}/go-template/limits.ts`,
    replace: 'if (this.written > this.limits.size * 4)',
    by: 'if (this.written < 0)',
    caughtBy: ['packages/render/test/hostile.test.ts'],
  },
  {
    name: 'a render reads files of any size',
    file: `${src}/tree/limited-tree.ts`,
    replace: 'if ((content?.length ?? 0) > maxFileBytes)',
    by: 'if ((content?.length ?? 0) < 0)',
    caughtBy: [`${src}/tree/limited-tree.test.ts`],
  },
  {
    name: 'a render reads any number of bytes in total',
    file: `${src}/tree/limited-tree.ts`,
    replace: 'if (bytes > maxRenderBytes)',
    by: 'if (bytes < 0)',
    caughtBy: [`${src}/tree/limited-tree.test.ts`],
  },
  {
    name: 'a source reads the value files of a source that it does not name',
    file: `${src}/source/value-files.ts`,
    replace: "if (name !== '' && !/^\\{?ARGOCD_/u.test(name)) {",
    by: "if (name === '$') {",
    caughtBy: [`${src}/source/render-source.test.ts`],
  },
];
