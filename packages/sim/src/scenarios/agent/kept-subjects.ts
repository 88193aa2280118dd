import type { Subject } from '@fairlead/agent';

export const nameOfSubject = (subject: Subject): string =>
  `${subject.about} ${'uid' in subject ? subject.uid : ''}`.trim();

const kept = new Set(['state', 'gone', 'verify', 'status', 'operation']);
/** Whether a subject is persisted. */
export const isKept = ({ about }: Subject): boolean => kept.has(about);

const pending =
  /^\{"tell":\{"about":"([a-z]+)",(?:"kind":"[A-Za-z]+",)?"name":"[a-z0-9/-]+","uid":"([0-9a-f-]+)"\},"trace":"[0-9a-f-]{55}"\}$/u;

/** The subjects in an outbox file, parsed here and not with the code under test. */
export function subjectsIn(text: string | undefined): Set<string> {
  const subjects = new Set<string>();
  const [head = '', ...lines] = (text ?? '').split('\n').slice(0, -1);
  if (!/^\{"outbox":1,"of":"[a-z ]+"\}$/u.test(head)) return subjects;
  for (const line of lines) {
    const [, removed] = /^\{"told":"([a-z0-9 -]+)"\}$/u.exec(line) ?? [];
    const [, about, uid] = pending.exec(line) ?? [];
    if (removed !== undefined) subjects.delete(removed);
    else if (about !== undefined) subjects.add(`${about} ${uid}`);
  }
  return subjects;
}
