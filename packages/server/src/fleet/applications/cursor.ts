import { invalidArgument } from '../../rpc/rpc-error.ts';
import { type SortKey, sortKeys } from '../api/endpoints.ts';
import type { SortPosition } from './sorted-order.ts';

/** The order of a list. */
export interface Sort {
  readonly key: SortKey;
  readonly isReversed: boolean;
}

/** The table of endpoints has refused other values. */
export function readSort(text = 'name'): Sort {
  const isReversed = text.startsWith('-');
  const name = isReversed ? text.slice(1) : text;
  return { key: sortKeys.find((key) => key === name) ?? 'name', isReversed };
}

const sortText = ({ key, isReversed }: Sort): string => (isReversed ? `-${key}` : key);

/** Where a page ended: the next one begins after it, whatever has changed meanwhile. */
export const writeCursor = (sort: Sort, position: SortPosition): string =>
  Buffer.from(JSON.stringify([sortText(sort), ...position])).toString('base64url');

export function readCursor(text: string, sort: Sort): SortPosition {
  const values = parsed(text);
  const [of, key, name, namespace, ...more] = values;
  if (of === undefined || key === undefined || name === undefined || namespace === undefined || more.length > 0) {
    throw invalidArgument('parameter cursor is not the nextCursor of a page');
  }
  if (of !== sortText(sort)) {
    throw invalidArgument(`parameter cursor is of a list with sort=${of.slice(0, 50)}, not sort=${sortText(sort)}`);
  }
  return [key, name, namespace];
}

function parsed(text: string): readonly string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  } catch {
    return [];
  }
}
