import { argocdListChecksum, digest } from './content.ts';
import type { Listed } from './message.ts';

/** A digest of a whole list: equal if both sides have the same objects in the same states. */
export function listContent(items: readonly Listed[]): string {
  const lines = items.map(({ kind, name, uid, content, status = '' }) => `${kind} ${name} ${uid} ${content} ${status}`);
  return digest(lines.sort().join('\n'));
}

export const listChecksum = (items: readonly Listed[]): string => argocdListChecksum(items).toString('base64');

/** The requests and messages of the mirror's side, given the source's list. */
export interface ResyncPlan {
  /** Missing here, or in a state that differs from the source's. */
  readonly differ: readonly Listed[];
  /** Here, and missing in the source's list. */
  readonly unknown: readonly Listed[];
  /** Here in the source's state, with a status that the source does not have. */
  readonly statuses: readonly Listed[];
}

const idOf = ({ kind, name, uid }: Listed): string => `${kind}/${name}/${uid}`;

export function planResync(listed: readonly Listed[], mirrors: readonly Listed[]): ResyncPlan {
  const here = new Map(mirrors.map((item) => [idOf(item), item]));
  const there = new Set(listed.map(idOf));
  const differ: Listed[] = [];
  const statuses: Listed[] = [];
  for (const item of listed) {
    const own = here.get(idOf(item));
    if (!own || own.content !== item.content) differ.push(own ?? { ...item, content: '' });
    if (own && own.status !== item.status) statuses.push(own);
  }
  return { differ, statuses, unknown: mirrors.filter((item) => !there.has(idOf(item))) };
}

/** Whether the source must send the state of an object that the mirror asked about: unless both have the same. */
export const mustSend = (asked: Listed, present: Listed | undefined): boolean =>
  present === undefined || present.uid !== asked.uid || present.content !== asked.content;
