import { invalidArgument } from '../../rpc/rpc-error.ts';
import type { FilterName } from '../api/endpoints.ts';
import type { QueryValues } from '../http/query-values.ts';
import { labelProperty, propertyValues, searchTexts } from './properties.ts';
import type { ApplicationRecord } from './summary.ts';

/** One of the values of a property. */
export interface Alternatives {
  readonly property: string;
  readonly values: readonly string[];
}

/** Which Applications are asked for: those that match all parts. */
export interface Filter {
  readonly alternatives: readonly Alternatives[];
  /** In lower case; each is part of some text of the Application. */
  readonly words: readonly string[];
  /** The same for filters that select the same. */
  readonly key: string;
}

const plainFilters = [
  'sync',
  'health',
  'project',
  'tenant',
  'cluster',
  'namespace',
  'autoSync',
  'operation',
] as const satisfies readonly FilterName[];

/** Throws an RpcError that names the parameter that is wrong. */
export function readFilter(query: QueryValues): Filter {
  const alternatives = [
    ...plainFilters.flatMap((property) => {
      const values = query.all(property);
      return values.length > 0 ? [{ property, values: [...new Set(values)].sort() }] : [];
    }),
    ...labelAlternatives(query.all('label')),
  ];
  const words = [...new Set((query.one('q') ?? '').toLowerCase().split(/\s+/u))].filter((word) => word !== '').sort();
  return {
    alternatives,
    words,
    key: JSON.stringify([alternatives.map(({ property, values }) => [property, values]), words]),
  };
}

/** `KEY` alone is any value of it. */
function labelAlternatives(texts: readonly string[]): Alternatives[] {
  const byKey = new Map<string, Set<string> | 'any'>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const key = at < 0 ? text : text.slice(0, at);
    if (key === '') throw invalidArgument(`parameter label must be KEY=VALUE or KEY, not ${text.slice(0, 50)}`);
    const known = byKey.get(key) ?? new Set<string>();
    if (at < 0 || known === 'any') byKey.set(key, 'any');
    else byKey.set(key, known.add(text.slice(at + 1)));
  }
  return [...byKey].map(([key, values]) =>
    values === 'any'
      ? { property: 'labelKey', values: [key] }
      : { property: labelProperty(key), values: [...values].sort() },
  );
}

/** Whether an Application matches. Lists ask the index instead; streams ask this for each change. */
export function matchesFilter({ alternatives, words }: Filter, record: ApplicationRecord): boolean {
  if (alternatives.length > 0) {
    const own = [...propertyValues(record)];
    const isOne = ({ property, values }: Alternatives): boolean =>
      own.some(([name, value]) => (name === property || isServerOf(property, name)) && values.includes(value));
    if (!alternatives.every(isOne)) return false;
  }
  if (words.length === 0) return true;
  const texts = searchTexts(record);
  return words.every((word) => texts.some((text) => text.includes(word)));
}

const isServerOf = (property: string, name: string): boolean => property === 'cluster' && name === 'server';
