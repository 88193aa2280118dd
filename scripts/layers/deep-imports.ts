import { join } from 'node:path';
import {
  isRelative,
  resolveImport,
  type SourceFile,
  splitSpecifier,
  type Violation,
  type Workspace,
} from './workspace.ts';

/** Imports of another package's internals, and exports that would allow them. */
export function deepImports(workspace: Workspace): Violation[] {
  return [...wildcards(workspace), ...[...workspace.files.values()].flatMap((file) => deepImportsOf(workspace, file))];
}

function wildcards({ packages }: Workspace): Violation[] {
  return [...packages.values()].flatMap(({ folder, exports }) =>
    [...exports.keys()]
      .filter((entry) => entry.includes('*'))
      .map((entry) => ({
        kind: 'deep-import' as const,
        where: join(folder, 'package.json'),
        message: `exports has the wildcard "${entry}"; list each entry point`,
      })),
  );
}

function deepImportsOf(workspace: Workspace, file: SourceFile): Violation[] {
  return file.imports.flatMap(({ specifier, line }) => {
    const problem = isRelative(specifier)
      ? crossedBorder(workspace, file, specifier)
      : hiddenEntry(workspace, file, specifier);
    return problem === undefined
      ? []
      : [{ kind: 'deep-import' as const, where: `${file.path}:${line}`, message: problem }];
  });
}

function hiddenEntry({ packages }: Workspace, file: SourceFile, specifier: string): string | undefined {
  const { name, entry } = splitSpecifier(specifier);
  const target = packages.get(name);
  if (!target) return undefined;
  if (target === file.owner) return `imports its own package as ${specifier}; use a relative path`;
  if (target.exports.has(entry)) return undefined;
  return `imports ${specifier}, which the exports of ${name} do not list`;
}

/** A relative path that leaves the package. Test files may use `scripts/`: it runs them and declares the types of their results. */
function crossedBorder(workspace: Workspace, file: SourceFile, specifier: string): string | undefined {
  const target = resolveImport(workspace, file, specifier);
  if (target === undefined || isWithin(target, file.owner.folder)) return undefined;
  if (file.isTest && target.startsWith('scripts/')) return undefined;
  const other = [...workspace.packages.values()].find(({ folder }) => isWithin(target, folder));
  return `imports ${specifier}, which is a file of ${other?.name ?? 'another folder'}; import the package by name`;
}

const isWithin = (path: string, folder: string): boolean =>
  folder === '' ? path.startsWith('scripts/') : path.startsWith(`${folder}/`);
