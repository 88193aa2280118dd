import { closest, type ResourceStatus } from '@fairlead/api';
import { CliError } from '../../cli-error.ts';

/** `GROUP:KIND:[NAMESPACE/]NAME`, with `*` for any, `!` before it to leave out. */
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
    throw new CliError(`--resource ${text} is not GROUP:KIND:NAME: for example apps:Deployment:web, or :Service:web`);
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

/** The Application's objects that the patterns name. A pattern that names none is a mistake. */
export function selectObjects(resources: readonly ResourceStatus[], texts: readonly string[]): ResourceStatus[] {
  const patterns = texts.map(readPattern);
  for (const pattern of patterns) {
    if (resources.some((resource) => matches(pattern, resource))) continue;
    const shown = (one: ResourceStatus): string => `${one.group ?? ''}:${one.kind}:${one.name}`;
    const near = closest(pattern.text.replace(/^!/u, ''), resources.map(shown));
    throw new CliError(
      `--resource ${pattern.text} is no object of the Application${near ? `, perhaps ${near} is meant` : ''}: fairlead app get lists them`,
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
