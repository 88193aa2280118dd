import { isBuiltin } from 'node:module';
import { isRelative, type SourceFile, splitSpecifier, type Violation, type Workspace } from './workspace.ts';

/** Packages that are imported and not declared: one line for each package.json and name, at the first import. */
export function undeclaredDependencies(workspace: Workspace): Violation[] {
  const places = new Map<string, string[]>();
  for (const file of workspace.files.values())
    for (const { specifier, line } of file.imports) {
      const problem = undeclared(workspace, file, specifier);
      if (problem === undefined) continue;
      const known = places.get(problem) ?? [];
      places.set(problem, [...known, `${file.path}:${line}`]);
    }
  return [...places].map(([problem, [first = '', ...more]]) => ({
    kind: 'dependency',
    where: first,
    message: more.length > 0 ? `${problem} (${more.length} more such imports)` : problem,
  }));
}

function undeclared(
  { root, packages }: Workspace,
  { path, owner, isTest }: SourceFile,
  specifier: string,
): string | undefined {
  const { name } = splitSpecifier(specifier);
  if (isRelative(specifier) || isBuiltin(specifier) || name === owner.name) return undefined;
  if (owner.dependencies.has(name)) return undefined;
  const manifest = `${owner.folder ? `${owner.folder}/` : ''}package.json`;
  // The web application is bundled: nothing of it is imported at run time.
  if (!isTest && !path.startsWith('packages/ui/app/')) {
    const found = owner.devDependencies.has(name) ? 'only in devDependencies' : 'not in dependencies';
    return `imports ${name}, which is ${found} of ${manifest}`;
  }
  // Test tools that every package uses are declared once, at the root.
  const isShared = root.devDependencies.has(name) && !packages.has(name);
  if (owner.devDependencies.has(name) || isShared) return undefined;
  return `imports ${name}, which is neither in dependencies nor in devDependencies of ${manifest}`;
}
