import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLogger } from '@fairlead/kube';
import { settle, VirtualClock } from '@fairlead/sim';
import { Outbox, type Subject } from '../../core/outbox.ts';
import { journalsIn } from './journal-file.ts';
import { type JournalFile, OutboxJournal } from './outbox-journal.ts';

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const state = (uid: string): Subject => ({ about: 'state', kind: 'Application', name: `app-${uid}`, uid });

function memory(text?: string): JournalFile & { text: string | undefined; replaced: number; appended: number } {
  return {
    text,
    replaced: 0,
    appended: 0,
    read() {
      return this.text;
    },
    async append(more) {
      this.appended += 1;
      this.text = (this.text ?? '') + more;
    },
    async replace(all) {
      this.replaced += 1;
      this.text = all;
    },
  };
}

function open(file: JournalFile, owner = 'principal edge managed') {
  const clock = new VirtualClock({ ties: () => 0 });
  const journal = new OutboxJournal(file, owner, clock, silentLogger);
  const outbox = new Outbox({ random: () => 0, onChange: (key, entry) => journal.note(key, entry) });
  const written = async (): Promise<void> => {
    await clock.runUntil(() => false, 1_000);
    await settle();
  };
  const uids = (): string[] => journal.load().map(({ subject }) => ('uid' in subject ? subject.uid : ''));
  return { journal, outbox, written, uids };
}

test('a pending subject is in the file, with its trace, until it is acknowledged', async () => {
  const file = memory();
  const { journal, outbox, written, uids } = open(file);
  for (const uid of ['1', '2', '3']) outbox.enqueue(state(uid), trace);
  outbox.enqueue({ about: 'list' });
  await written();
  assert.deepEqual(journal.load()[0], { subject: state('1'), trace });
  assert.deepEqual(uids(), ['1', '2', '3'], 'lists are requested on every connect');
  outbox.acknowledged(outbox.take(0)!.number);
  await written();
  assert.deepEqual(uids(), ['2', '3']);
});

test('a subject that is acknowledged quickly is not written', async () => {
  const file = memory();
  const { outbox, written } = open(file);
  outbox.enqueue(state('1'));
  await written();
  const { appended, replaced } = file;
  for (let i = 2; i < 100; i++) outbox.enqueue(state(String(i)));
  for (let i = 1; i < 99; i++) outbox.drop(outbox.take(0)!);
  for (let i = 0; i < 2; i++) outbox.take(0);
  await written();
  assert.deepEqual([file.appended - appended, file.replaced - replaced], [1, 0]);
  assert.equal(file.text!.trim().split('\n').length, 4, 'the header, an added subject, its removal, and another');
});

test('lines of acknowledged subjects do not accumulate', async () => {
  const file = memory();
  const { outbox, written, uids } = open(file);
  for (let round = 0; round < 3_000; round++) {
    outbox.enqueue(state(String(round)));
    await written();
    if (round > 0) outbox.cancel(state(String(round - 1)));
  }
  await written();
  assert.deepEqual(uids(), ['2999']);
  assert.ok(file.text!.length < 200_000, `${file.text!.length}`);
  assert.ok(file.replaced > 1 && file.replaced < 20, `${file.replaced}`);
});

test('a missing, foreign, truncated or damaged file is not an error', async () => {
  const file = memory();
  const first = open(file);
  for (const uid of ['1', '2', '3']) first.outbox.enqueue(state(uid));
  await first.written();
  const whole = file.text!;
  assert.deepEqual(open(memory()).uids(), []);
  assert.deepEqual(open(memory(whole), 'principal site managed').uids(), []);
  for (let at = 0; at <= whole.length; at++) {
    const torn = open(memory(whole.slice(0, at)));
    assert.ok(['1', '2', '3'].join().startsWith(torn.uids().join()), `cut at ${at}: ${torn.uids()}`);
    open(memory(`${whole.slice(0, at)}\u0000${whole.slice(at)}`)).uids();
  }
  // Text after a truncated line does not become part of it.
  const torn = memory(whole.slice(0, -10));
  const second = open(torn);
  for (const { subject } of second.journal.load()) second.outbox.enqueue(subject);
  second.outbox.enqueue(state('4'));
  await second.written();
  assert.deepEqual(open(torn).uids(), ['1', '2', '4']);
  const nonsense = '{"tell":{"about":"state","kind":"Pod","name":"x","uid":"1"}}\n{"tell":7}\nnull\n[]\n{"told":{}}\n';
  assert.deepEqual(open(memory(`${whole.split('\n')[0]}\n${nonsense}`)).uids(), []);
});

test('the next write repairs a failed one', async () => {
  const file = memory();
  const { outbox, written, uids } = open(file);
  outbox.enqueue(state('1'));
  await written();
  const { append } = file;
  file.append = async () => Promise.reject(new Error('no space left'));
  outbox.enqueue(state('2'));
  await written();
  file.append = append;
  outbox.enqueue(state('3'));
  await written();
  assert.deepEqual(uids(), ['1', '2', '3']);
});

test('on a real disk the file is replaced atomically', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-outbox-'));
  try {
    const file = journalsIn(join(dir, 'data'))({ role: 'agent', agent: 'edge', mode: 'managed', namespace: 'argocd' });
    assert.equal(file.read(), undefined);
    await file.replace('a\n');
    await file.append('b\n');
    assert.equal(readFileSync(join(dir, 'data', 'agent-edge'), 'utf8'), 'a\nb\n');
    await file.replace('c\n');
    assert.equal(file.read(), 'c\n');
    writeFileSync(join(dir, 'data', 'agent-edge'), Buffer.from([0xff, 0xfe, 0x00]));
    assert.equal(typeof file.read(), 'string');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
