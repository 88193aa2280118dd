import { join } from 'node:path';
import { type Package, splitSpecifier, type Violation, type Workspace } from './workspace.ts';

/** A package imports only from the packages before it. `sim` may use any package, and only tests use `sim`. Tests may use any package. */
export const order = [
  'apimachinery',
  'kube',
  'api',
  'control-plane',
  'render',
  'source',
  'engine',
  'app-controller',
  'service',
  'agent',
  'images',
  'prepull',
  'server',
  'client',
  'ui',
  'cli',
  'sim',
];

export function wrongDirections(workspace: Workspace): Violation[] {
  return [...unordered(workspace), ...wrongImports(workspace), ...wrongDependencies(workspace)];
}

function unordered({ packages }: Workspace): Violation[] {
  return [...packages.values()]
    .filter((each) => rank(each) === -1)
    .map(({ folder, name }) => ({
      kind: 'direction',
      where: join(folder, 'package.json'),
      message: `${name} has no place in the order of packages; add it to scripts/layers/direction.ts`,
    }));
}

function wrongImports({ packages, files }: Workspace): Violation[] {
  return [...files.values()]
    .filter(({ isTest, owner }) => !isTest && owner.folder !== '')
    .flatMap(({ path, owner, imports }) =>
      imports.flatMap(({ specifier, line }) => {
        const target = packages.get(splitSpecifier(specifier).name);
        if (!target || mayUse(owner, target)) return [];
        return [
          {
            kind: 'direction' as const,
            where: `${path}:${line}`,
            message: `${owner.name} may not import ${target.name}`,
          },
        ];
      }),
    );
}

function wrongDependencies({ packages }: Workspace): Violation[] {
  return [...packages.values()].flatMap((owner) =>
    [...owner.dependencies].flatMap((name) => {
      const target = packages.get(name);
      if (!target || mayUse(owner, target)) return [];
      return [
        {
          kind: 'direction' as const,
          where: join(owner.folder, 'package.json'),
          message: `${owner.name} may not depend on ${name}`,
        },
      ];
    }),
  );
}

const rank = ({ folder }: Package): number => order.indexOf(folder.replace('packages/', ''));

const mayUse = (owner: Package, target: Package): boolean => rank(target) <= rank(owner);
