import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedObject } from './signed-object.ts';

const armor = (kind = 'PGP'): string[] => [
  `-----BEGIN ${kind} SIGNATURE-----`,
  '',
  'abc',
  `-----END ${kind} SIGNATURE-----`,
];

test('the signature of a commit is removed from its headers, and the signed payload is exact', () => {
  const headers = ['tree 1', 'author ü', 'committer x'];
  const message = '\n\nHello\n gpgsig not a header\n';
  const signature = armor().join('\n ');
  const signed = (name: string) =>
    signedObject('commit', Buffer.from(`${headers.join('\n')}\n${name} ${signature}\nencoding x${message}`));
  for (const name of ['gpgsig', 'gpgsig-sha256']) {
    const found = signed(name);
    assert.equal(found?.payload.toString(), `${headers.join('\n')}\nencoding x${message}`);
    assert.equal(found?.signature, `${armor().join('\n')}\n`);
  }
});

test('a signature in the message of a commit is ignored', () => {
  const text = `tree 1\nauthor x\n\ngpgsig ${armor().join('\n ')}\n`;
  assert.equal(signedObject('commit', Buffer.from(text)), undefined);
});

test('the signature of a tag is at the end of its message', () => {
  const payload = `object 1\ntype commit\ntag v1\n\nRelease\n${armor('PGP')[0]} in the text\n\n`;
  const found = signedObject('tag', Buffer.from(`${payload}${armor().join('\n')}\n`));
  assert.equal(found?.payload.toString(), payload);
  assert.equal(found?.signature, `${armor().join('\n')}\n`);
  assert.equal(signedObject('tag', Buffer.from('object 1\n\nRelease\n')), undefined);
});
