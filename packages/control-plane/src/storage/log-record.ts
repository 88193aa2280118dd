import type { Write } from './journal.ts';
import type { Stored } from './storage.ts';
import { StoredText } from './stored-text.ts';

/** A payload is a line of JSON with its type, and for objects a second line with their text, which is loaded without being parsed. */
export type LogRecord =
  | { readonly is: 'put'; readonly resource: string; readonly stored: Stored }
  | {
      readonly is: 'delete';
      readonly resource: string;
      readonly namespace: string;
      readonly name: string;
      readonly revision: number;
    }
  /** The first of every file. */
  | { readonly is: 'head'; readonly format: number; readonly revision: number }
  /** The last of a snapshot. */
  | { readonly is: 'end'; readonly count: number };

export const format = 1;

type Line =
  | readonly ['put', resource: string, namespace: string, name: string, revision: number, uid: string]
  | readonly ['delete', resource: string, namespace: string, name: string, revision: number]
  | readonly ['head', format: number, revision: number]
  | readonly ['end', count: number];

const encode = (line: Line, text = ''): string => `${JSON.stringify(line)}\n${text}`;

export const encodeHead = (revision: number): string => encode(['head', format, revision]);
export const encodeEnd = (count: number): string => encode(['end', count]);
export const encodePut = (resource: string, stored: Stored): string =>
  encode(['put', resource, stored.namespace, stored.name, stored.revision, stored.uid], stored.text);

export function encodeWrite({ resource, event }: Write): string {
  const { namespace, name } = event.stored;
  return event.type === 'DELETED'
    ? encode(['delete', resource, namespace, name, event.revision])
    : encodePut(resource, event.stored);
}

export function decodeRecord(bytes: Buffer, start: number, end: number): LogRecord {
  const newline = bytes.indexOf(0x0a, start);
  const line = JSON.parse(bytes.toString('utf8', start, newline)) as Line;
  switch (line[0]) {
    case 'put': {
      const [, resource, namespace, name, revision, uid] = line;
      const text = bytes.toString('utf8', newline + 1, end);
      return { is: 'put', resource, stored: new StoredText(namespace, name, uid, revision, text) };
    }
    case 'delete': {
      const [, resource, namespace, name, revision] = line;
      return { is: 'delete', resource, namespace, name, revision };
    }
    case 'head':
      return { is: 'head', format: line[1], revision: line[2] };
    case 'end':
      return { is: 'end', count: line[1] };
  }
}
