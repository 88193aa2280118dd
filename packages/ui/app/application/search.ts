import { textParam } from '../lib/search-params.ts';

export const sections = ['tree', 'flow', 'diff', 'history', 'pods', 'events', 'manifest'] as const;
export type Section = (typeof sections)[number];
export const resourceSections = ['summary', 'live', 'target', 'diff', 'events', 'logs', 'terminal'] as const;
export type ResourceSection = (typeof resourceSections)[number];

/** The state of the page, as its URL has it. */
export interface ApplicationSearch {
  readonly section?: Section;
  /** The resource whose drawer is open: `GROUP:KIND:NAMESPACE/NAME`. */
  readonly resource?: string;
  readonly part?: ResourceSection;
  /** How the diff is shown. */
  readonly diff?: 'split' | 'inline';
  readonly tree?: 'list' | 'network';
  readonly dialog?: 'sync';
  /** Two deployments of the history: `ID..ID`. */
  readonly compare?: string;
}

export function applicationSearch(search: Record<string, unknown>): ApplicationSearch {
  const section = sections.find((name) => name === search['section']);
  const part = resourceSections.find((name) => name === search['part']);
  const resource = textParam(search, 'resource');
  const compare = textParam(search, 'compare');
  const diff = (['split', 'inline'] as const).find((name) => name === search['diff']);
  const tree = (['list', 'network'] as const).find((name) => name === search['tree']);
  return {
    ...(section ? { section } : {}),
    ...(resource ? { resource } : {}),
    ...(part ? { part } : {}),
    ...(diff ? { diff } : {}),
    ...(tree ? { tree } : {}),
    ...(compare ? { compare } : {}),
    ...(search['dialog'] === 'sync' ? { dialog: 'sync' } : {}),
  };
}
