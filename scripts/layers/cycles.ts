import { resolveImport, splitSpecifier, type Violation, type Workspace } from './workspace.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Files that load each other, and packages that depend on each other. Type-only imports and `import()` load nothing with the file. */
export function importCycles(workspace: Workspace): Violation[] {
  return [...describe(fileGraph(workspace)), ...describe(packageGraph(workspace))];
}

function describe(graph: Graph): Violation[] {
  return cyclesOf(graph).map((cycle) => ({
    kind: 'cycle',
    where: cycle[0] ?? '',
    message: `import cycle: ${[...cycle, cycle[0]].join(' → ')}`,
  }));
}

function fileGraph(workspace: Workspace): Graph {
  const graph = new Map<string, string[]>();
  for (const file of workspace.files.values()) {
    const targets = file.imports
      .filter(({ use }) => use === 'load')
      .map(({ specifier }) => resolveImport(workspace, file, specifier))
      .filter((target) => target !== undefined && workspace.files.has(target));
    graph.set(
      file.path,
      targets.filter((target) => target !== undefined),
    );
  }
  return graph;
}

/** What packages need at run time: what their package.json says, and what their source imports. */
function packageGraph({ packages, files }: Workspace): Graph {
  const graph = new Map<string, string[]>();
  for (const { name, dependencies } of packages.values())
    graph.set(
      name,
      [...dependencies].filter((each) => packages.has(each)),
    );
  for (const { owner, isTest, imports } of files.values())
    for (const { specifier, use } of imports) {
      const { name } = splitSpecifier(specifier);
      if (!isTest && use !== 'type' && packages.has(name) && name !== owner.name) graph.get(owner.name)?.push(name);
    }
  return graph;
}

/** One shortest cycle of each group of nodes that all reach each other. */
export function cyclesOf(graph: Graph): string[][] {
  return components(graph).flatMap((group) => {
    const members = new Set(group);
    const cycles = group.flatMap((start) => shortestCycle(graph, members, start));
    const [shortest] = cycles.sort((one, other) => one.length - other.length);
    return shortest ? [shortest] : [];
  });
}

function shortestCycle(graph: Graph, members: ReadonlySet<string>, start: string): string[][] {
  let paths = [[start]];
  const reached = new Set<string>();
  while (paths.length > 0) {
    const longer: string[][] = [];
    for (const path of paths) {
      for (const next of graph.get(path.at(-1) ?? start) ?? []) {
        if (next === start) return [path];
        if (!members.has(next) || reached.has(next)) continue;
        reached.add(next);
        longer.push([...path, next]);
      }
    }
    paths = longer;
  }
  return [];
}

/** Tarjan's strongly connected components, in the order of the nodes. */
function components(graph: Graph): string[][] {
  const groups: string[][] = [];
  const index = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();

  const visit = (node: string): number => {
    const own = index.size;
    let lowest = own;
    index.set(node, own);
    stack.push(node);
    open.add(node);
    for (const next of graph.get(node) ?? []) {
      const seen = index.get(next);
      if (seen === undefined) lowest = Math.min(lowest, visit(next));
      else if (open.has(next)) lowest = Math.min(lowest, seen);
    }
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(node));
      for (const member of group) open.delete(member);
      groups.push(group.sort());
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return groups;
}
