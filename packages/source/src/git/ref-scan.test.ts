import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PacketReader, packet } from './pkt-line.ts';
import { RefScan } from './ref-scan.ts';

const id = (digit: string): string => digit.repeat(40);

function scanned(revisions: readonly string[], refs: readonly [string, string, string?][]) {
  const scan = new RefScan(revisions);
  for (const [name, object, peeled] of refs) scan.ref(name, object, peeled);
  return Object.fromEntries(scan.answers());
}

test('a revision is HEAD, a branch, a tag, a full name, a range of versions or an abbreviated commit, in this order', () => {
  const refs: [string, string, string?][] = [
    ['HEAD', id('1')],
    ['refs/heads/main', id('1')],
    ['refs/heads/v1', id('2')],
    ['refs/tags/v1', id('3')],
    ['refs/tags/v1.2.0', id('4'), id('5')],
    ['refs/tags/v1.10.0', id('6'), id('7')],
    ['refs/tags/v2.0.0', id('8')],
    ['refs/pull/7/head', id('9')],
  ];
  const revisions = [
    '',
    'main',
    'v1',
    'v1.2.0',
    '~1',
    'refs/pull/7/head',
    'refs/tags/v1',
    '99999999',
    '8'.repeat(7),
    'nowhere',
  ];
  assert.deepEqual(scanned(revisions, refs), {
    '': { commit: id('1') },
    main: { commit: id('1') },
    v1: { commit: id('2') },
    'v1.2.0': { commit: id('5'), tagObject: id('4') },
    '~1': { commit: id('7'), tagObject: id('6') },
    'refs/pull/7/head': { commit: id('9') },
    'refs/tags/v1': { commit: id('3') },
    '99999999': { commit: id('9') },
    '8888888': { commit: id('8') },
    nowhere: undefined,
  });
});

test('an abbreviation of several commits, or of a tag object, does not resolve', () => {
  const refs: [string, string, string?][] = [
    ['refs/heads/a', `${'1'.repeat(39)}0`],
    ['refs/heads/b', `${'1'.repeat(39)}2`],
    ['refs/tags/t', id('3'), id('4')],
  ];
  assert.deepEqual(scanned(['1111111', '3333333', '4444444'], refs), {
    '1111111': undefined,
    '3333333': undefined,
    '4444444': { commit: id('4') },
  });
});

test('only the required ref prefixes are requested', () => {
  assert.deepEqual(new RefScan(['main', '']).prefixes, ['refs/heads/main', 'refs/tags/main', 'HEAD']);
  assert.ok(new RefScan(['~1.0']).prefixes.includes('refs/tags/'));
  assert.deepEqual(new RefScan(['abcdef12']).prefixes, ['HEAD', 'refs/heads/', 'refs/tags/']);
  const many = Array.from({ length: 1_000 }, (_, n) => `b${n}`);
  assert.deepEqual(new RefScan([...many, 'refs/pull/1/head']).prefixes.slice(0, 3), [
    'HEAD',
    'refs/heads/',
    'refs/tags/',
  ]);
  assert.ok(new RefScan([...many, 'refs/pull/1/head']).prefixes.includes('refs/pull/1/head'));
});

test('packets are parsed for any chunk boundaries', () => {
  const stream = Buffer.from(`${packet('version 2\n')}${packet('ü')}00010000${packet('x'.repeat(60_000))}0002`);
  for (const size of [1, 3, 4, 7, 1_000, stream.length]) {
    const read: string[] = [];
    const reader = new PacketReader((text, isMark) => read.push(isMark ? `<${text}>` : text.slice(0, 10)));
    for (let at = 0; at < stream.length; at += size) reader.push(stream.subarray(at, at + size));
    assert.deepEqual(read, ['version 2\n', 'ü', '<delimiter>', '<flush>', 'xxxxxxxxxx', '<end>'], `${size}`);
  }
  assert.throws(() => new PacketReader(() => {}).push(Buffer.from('<html>')), /does not speak the Git protocol/);
});
