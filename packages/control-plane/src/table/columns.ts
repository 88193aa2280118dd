import type { KubeObject, ObjectMeta } from '@fairlead/apimachinery';
import type { Column, TableRules } from '../resource.ts';
import { since } from './age.ts';

export type Cell = string | number | boolean | null;

/** The fields of an object that a printer reads. */
export type Printable<T> = KubeObject & T;

/**
 * Columns in a line of text: `Name, Ready, Age, Node*`; a star marks a column of wide output, `:type` sets a type other than string. `Name`
 * and `Age` are filled in; the others come from `cells`, in order.
 */
export function tableOf<T>(columns: string, cells: (object: Printable<T>, now: number) => Cell[]): TableRules {
  const parsed = columns.split(',').map((text) => parseColumn(text.trim()));
  return {
    columns: parsed,
    cells(object, now) {
      const given = cells(object as Printable<T>, now);
      let next = 0;
      return parsed.map(({ name }) => {
        if (name === 'Age') return since(object.metadata.creationTimestamp, now);
        const own = name === 'Name' && given.length < parsed.filter((column) => column.name !== 'Age').length;
        return own ? object.metadata.name : (given[next++] ?? null);
      });
    },
  };
}

function parseColumn(text: string): Column {
  const wide = text.endsWith('*');
  const [name = '', type = 'string'] = (wide ? text.slice(0, -1) : text).split(':');
  return {
    name,
    type: type as Column['type'],
    ...(name === 'Name' ? { format: 'name' } : {}),
    description: descriptionOf(name),
    priority: wide ? 1 : 0,
  };
}

const descriptionOf = (name: string): string =>
  name === 'Name'
    ? 'The name of the object.'
    : name === 'Age'
      ? 'How long ago the object was created.'
      : `${name} of the object.`;

export const orNone = (value: string | undefined | null): string => (value ? value : '<none>');

/** `a=b,c=d` in key order, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined | null): string {
  const entries = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? '<none>' : entries.map(([key, value]) => `${key}=${value}`).join(',');
}

/** At most `maximum` items of a list, and the number of others. */
export function listText(list: readonly string[], maximum: number, total = list.length): string {
  if (list.length === 0) return '<unset>';
  const shown = list.slice(0, maximum).join(',');
  return total > maximum ? `${shown} + ${total - maximum} more...` : shown;
}

export interface Container {
  name: string;
  image?: string;
}

export const containerCells = (containers: readonly Container[] | undefined): [string, string] => [
  (containers ?? []).map(({ name }) => name).join(','),
  (containers ?? []).map(({ image }) => image ?? '').join(','),
];

export type { ObjectMeta };
