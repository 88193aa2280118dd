import type { Application } from '@fairlead/api';
import type { TreeNode } from '@fairlead/app-controller/explain';
import { knownAnnotations } from '@fairlead/engine';
import { type Style, visible } from '../../terminal/style.ts';
import { objectText, stateText } from './status-text.ts';

const pauseAnnotation = knownAnnotations.pause.name;

/** A node of a tree. */
export interface Branch {
  readonly text: string;
  readonly parts: readonly Branch[];
}

/** `├─` and `└─` before each part. */
export function branchLines(branches: readonly Branch[], before = ''): string[] {
  return branches.flatMap(({ text, parts }, i) => {
    const last = i === branches.length - 1;
    return [`${before}${last ? '└─ ' : '├─ '}${text}`, ...branchLines(parts, `${before}${last ? '   ' : '│  '}`)];
  });
}

export const treeBranches = (nodes: readonly TreeNode[], style: Style): Branch[] =>
  nodes.map((node) => ({ text: nodeText(node, style), parts: treeBranches(node.children, style) }));

function nodeText({ id, status, health, live }: TreeNode, style: Style): string {
  const sync = status?.status ? [stateText(status.status, style)] : [];
  const prune = status?.requiresPruning ? [style.wary('to be pruned')] : [];
  const well = health ? [stateText(health.status, style)] : [];
  const gone = live?.metadata.deletionTimestamp ? [style.wary('being deleted')] : [];
  const paused = live?.metadata.annotations?.[pauseAnnotation] === 'true' ? [style.wary('paused')] : [];
  const why = health?.message && health.status !== 'Healthy' ? [style.faint(visible(health.message))] : [];
  return [objectText(id), ...sync, ...prune, ...well, ...gone, ...paused, ...why].join('  ');
}

/** Applications below the Applications that manage them, each with its own objects. */
export function applicationBranches(
  applications: readonly Application[],
  title: (application: Application) => string,
  style: Style,
): Branch[] {
  const byKey = new Map(applications.map((one) => [`${one.metadata.namespace}/${one.metadata.name}`, one]));
  const childKeys = (application: Application): string[] =>
    (application.status?.resources ?? [])
      .filter(({ kind, group }) => kind === 'Application' && group === 'argoproj.io')
      .map(({ namespace, name }) => `${namespace}/${name}`);
  const below = new Set(applications.flatMap(childKeys));
  const branch = (application: Application, above: ReadonlySet<string>): Branch => {
    const key = `${application.metadata.namespace}/${application.metadata.name}`;
    const seen = new Set([...above, key]);
    const parts = (application.status?.resources ?? []).map((resource): Branch => {
      const child = resource.kind === 'Application' ? byKey.get(`${resource.namespace}/${resource.name}`) : undefined;
      if (child && !seen.has(`${resource.namespace}/${resource.name}`)) return branch(child, seen);
      const states = [resource.status, resource.health?.status].flatMap((word) =>
        word ? [stateText(word, style)] : [],
      );
      return { text: [objectText(resource), ...states].join('  '), parts: [] };
    });
    return { text: title(application), parts };
  };
  const roots = applications.filter(({ metadata }) => !below.has(`${metadata.namespace}/${metadata.name}`));
  // Applications that manage each other have no root: show all of them.
  return (roots.length > 0 ? roots : applications).map((one) => branch(one, new Set()));
}
