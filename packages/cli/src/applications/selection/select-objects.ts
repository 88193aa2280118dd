import type { ResourceStatus } from '@fairlead/api';
import { CliError } from '../../cli-error.ts';
import { didYouMean } from '../../did-you-mean.ts';

/** `GROUP:KIND:[NAMESPACE/]NAME`, with `*` for any; `!` before it excludes. */
interface Pattern {
  readonly text: string;
  readonly leaves: boolean;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

function readPattern(text: string): Pattern {
  const leaves = text.startsWith('!');
  const parts = (leaves ? text.slice(1) : text).split(':');
  const [group = '', kind = '', rest = ''] = parts;
  if (parts.length !== 3 || kind === '' || rest === '')
    throw new CliError(`invalid --resource ${text}: use GROUP:KIND:NAME, such as apps:Deployment:web or :Service:web`);
  const slash = rest.indexOf('/');
  return {
    text,
    leaves,
    group,
    kind,
    namespace: slash < 0 ? '*' : rest.slice(0, slash),
    name: slash < 0 ? rest : rest.slice(slash + 1),
  };
}

const fits = (pattern: string, text: string): boolean => pattern === '*' || pattern === text;

const matches = (pattern: Pattern, { group = '', kind = '', namespace = '', name = '' }: ResourceStatus): boolean =>
  fits(pattern.group, group) &&
  fits(pattern.kind, kind) &&
  fits(pattern.namespace, namespace) &&
  fits(pattern.name, name);

/** The objects that match the patterns. Throws if a pattern matches none. */
export function selectObjects(resources: readonly ResourceStatus[], texts: readonly string[]): ResourceStatus[] {
  const patterns = texts.map(readPattern);
  for (const pattern of patterns) {
    if (resources.some((resource) => matches(pattern, resource))) continue;
    const shown = (one: ResourceStatus): string => `${one.group ?? ''}:${one.kind}:${one.name}`;
    throw new CliError(
      `--resource ${pattern.text} matches no object of the Application${didYouMean(pattern.text.replace(/^!/u, ''), resources.map(shown))}: fairlead app get lists them`,
    );
  }
  const taken = patterns.filter(({ leaves }) => !leaves);
  const left = patterns.filter(({ leaves }) => leaves);
  return resources.filter(
    (resource) =>
      (taken.length === 0 || taken.some((pattern) => matches(pattern, resource))) &&
      !left.some((pattern) => matches(pattern, resource)),
  );
}
