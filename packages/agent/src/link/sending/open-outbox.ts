import type { Logger } from '@fairlead/kube';
import { Outbox } from '../../core/outbox.ts';
import { beginTrace } from '../../core/trace.ts';
import type { LinkOptions } from '../link-options.ts';
import { OutboxJournal } from './outbox-journal.ts';

/** The outbox of a link, with the subjects that the last process saved, if any. */
export function openOutbox(options: LinkOptions, log: Logger): { outbox: Outbox; written: () => Promise<void> } {
  const { side, random, clock, nonce, parts = {} } = options;
  const file = options.journal?.(side);
  const make = parts.journal ?? ((...args) => new OutboxJournal(...args));
  const journal = file && make(file, `${side.role} ${side.agent} ${side.mode}`, clock, log);
  const settings = { random, ...options.outbox, ...(journal ? { onChange: journal.note.bind(journal) } : {}) };
  const outbox = parts.outbox?.(settings) ?? new Outbox(settings);
  for (const { subject, trace } of journal?.load() ?? []) outbox.enqueue(subject, trace ?? beginTrace(nonce));
  return { outbox, written: async () => journal?.written() };
}
