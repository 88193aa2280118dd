import { limits } from '@fairlead/kube';
import { invalidArgument } from '../../rpc/rpc-error.ts';
import type { QueryValues } from '../http/query-values.ts';
import { facetProperties, facetValue, isFacet, labelOf, labelProperty, searchTexts } from './properties.ts';
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

/** Throws an RpcError that names the parameter that is wrong. */
export function readFilter(query: QueryValues): Filter {
  const alternatives = [
    ...facetProperties.flatMap((property) => {
      const values = query.all(property);
      return values.length > 0 ? [{ property, values: [...new Set(values)].sort() }] : [];
    }),
    ...labelAlternatives(query.all('label')),
  ];
  const words = wordsOf(query.one('q') ?? '');
  return {
    alternatives,
    words,
    key: JSON.stringify([alternatives.map(({ property, values }) => [property, values]), words]),
  };
}

/** Every word costs a search, so there are only a few. */
function wordsOf(text: string): string[] {
  const words = [...new Set(text.toLowerCase().split(/\s+/u))].filter((word) => word !== '').sort();
  if (words.length <= limits.fleetQueryWords) return words;
  throw invalidArgument(`parameter q has more than ${limits.fleetQueryWords} different words`);
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
  for (const { property, values } of alternatives) {
    if (!valuesOf(property, record).some((value) => values.includes(value))) return false;
  }
  if (words.length === 0) return true;
  const text = textOf(record);
  return words.every((word) => text.includes(word));
}

/** The same as in `propertyValues`, of one property. */
function valuesOf(property: string, { summary, server }: ApplicationRecord): readonly string[] {
  const label = labelOf(property);
  if (label !== undefined) return Object.hasOwn(summary.labels, label) ? [summary.labels[label] ?? ''] : [];
  if (property === 'labelKey') return Object.keys(summary.labels);
  if (property === 'cluster') return [summary.cluster, server];
  return isFacet(property) ? [facetValue(property, summary)] : [];
}

const texts = new WeakMap<ApplicationRecord, string>();

/** All that is searched. Words have no spaces, so that none is found across two texts. */
function textOf(record: ApplicationRecord): string {
  const known = texts.get(record) ?? searchTexts(record).join('\n');
  texts.set(record, known);
  return known;
}
