/** Data from a Git server: lists of refs, tree objects, commits and tags with signatures, and `.gitmodules`. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mutated } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { parseTreeObject } from '../../src/git/git-tree.ts';
import { PacketReader, packet } from '../../src/git/pkt-line.ts';
import { RefLines } from '../../src/git/ref-lines.ts';
import { isObjectId, RefScan } from '../../src/git/ref-scan.ts';
import { readModules } from '../../src/git/submodules.ts';
import { readStatus } from '../../src/signatures/gpg-status.ts';
import { signedObject } from '../../src/signatures/signed-object.ts';
import { SourceError } from '../../src/source-error.ts';

const id = (digit: string): string => digit.repeat(40);
const idBytes = '\x12'.repeat(20);
const armor = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----';
const words = [
  '\t',
  '\n',
  ' ',
  '\0',
  '^{}',
  'ref: ',
  'HEAD',
  'refs/heads/',
  'refs/tags/',
  '..',
  '/',
  '\r',
  id('c'),
  '[GNUPG:] ',
];

const inputs = {
  refs: mutated(
    [
      `ref: refs/heads/main\tHEAD\n${id('a')}\tHEAD\n${id('a')}\trefs/heads/main\n${id('b')}\trefs/tags/v1\n${id('c')}\trefs/tags/v1^{}\n`,
    ],
    words,
  ),
  packets: mutated(
    [`${packet('version 2\n')}${packet('ls-refs\n')}0000${packet(`${id('a')} refs/heads/main\n`)}0002`],
    [...words, '0000', '0001', '0003', '0005', 'ffff'],
  ),
  tree: mutated(
    [`100644 a.yaml\0${idBytes}40000 dir\0${idBytes}120000 link\0${idBytes}160000 module\0${idBytes}`],
    words,
  ),
  commit: mutated(
    [`tree ${id('a')}\nauthor x\ngpgsig ${armor.replaceAll('\n', '\n ')}\ncommitter y\n\nmessage\n`],
    words,
  ),
  tag: mutated([`object ${id('a')}\ntype commit\ntag v1\n\nmessage\n${armor}\n`], words),
  modules: mutated(
    [
      '[submodule "a"]\n\tpath = libs/a\n\turl = ../a.git\n[submodule "b"]\n\tpath = "b c"\n\turl = https://example.com/b\n',
    ],
    [...words, 'path = ', 'url = ', '[submodule "', '"]', '../', './', '\\"'],
  ),
  status: mutated(
    [
      `[GNUPG:] GOODSIG ${'A'.repeat(16)} ann\n[GNUPG:] VALIDSIG ${'A'.repeat(40)} 2030-01-01 1 0 4 0 22 8 00 ${'B'.repeat(40)}\n`,
    ],
    [...words, 'GOODSIG', 'BADSIG', 'VALIDSIG', 'EXPKEYSIG'],
  ),
};
type Part = keyof typeof inputs;

const checks: Readonly<Record<Part, (text: string) => void>> = {
  refs(text) {
    const scan = new RefScan(['', 'main', 'v1', '~1', 'aaaaaaa', 'refs/tags/v1']);
    const lines = new RefLines((name, object, peeled) => scan.ref(name, object, peeled));
    lines.push(Buffer.from(text, 'latin1'));
    lines.end();
    for (const found of scan.answers().values()) assert.ok(found === undefined || isObjectId(found.commit));
  },
  packets(text) {
    const bytes = Buffer.from(text, 'latin1');
    const read = (size: number): string[] | undefined =>
      unlessRefused([SourceError], () => {
        const packets: string[] = [];
        const reader = new PacketReader((one) => packets.push(one));
        for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
        return packets;
      });
    assert.deepEqual(read(3), read(bytes.length + 1), 'it does not matter how the stream is cut');
  },
  tree(text) {
    const bytes = Buffer.from(text, 'latin1');
    const entries = unlessRefused([SourceError], () => parseTreeObject(bytes, 20));
    for (const { name, id: entryId } of entries ?? []) {
      assert.ok(name !== '' && name !== '.' && name !== '..' && !name.includes('/'));
      assert.match(entryId, /^[0-9a-f]{40}$/u, 'an id is whole');
    }
  },
  commit: (text) => checkSigned('commit', text),
  tag: (text) => checkSigned('tag', text),
  modules(text) {
    for (const [path] of readModules(text, 'https://example.com/team/repo'))
      assert.ok(path !== '' && !path.startsWith('/') && !path.split('/').includes('..'), path);
  },
  status(text) {
    const result = readStatus(text);
    const signatures = [...text.matchAll(/^\s*\[GNUPG:\] (?:GOOD|BAD|EXP|EXPKEY|REVKEY|ERR)SIG(?=\s|$)/gmu)];
    if (result.good) assert.equal(signatures.length, 1, 'of several signatures none is good');
  },
};

/** The signed payload is part of the object: a signature is never over another text. */
function checkSigned(type: 'commit' | 'tag', text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  const signed = signedObject(type, bytes);
  if (signed) assert.ok(signed.payload.length < bytes.length);
}

const parts = Object.keys(inputs) as Part[];

export const target = fuzzTarget({
  inputs: fc.oneof(...parts.map((part) => inputs[part].map((text) => ({ part, text })))),
  check: ({ part, text }: { readonly part: Part; readonly text: string }) => checks[part](text),
});
