import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownHostKeys } from './host-keys.ts';

test('each host of a line of known_hosts is a key; comments, hashed hosts and markers are left out', () => {
  const text =
    '# a comment\ngit.example.com,10.0.0.1 ssh-ed25519 AAAA comment\n|1|x= ssh-rsa BBBB\n@revoked h ssh-rsa CCCC\n\n';
  assert.deepEqual(
    knownHostKeys(text).map(({ serverName, certSubType, certData }) => [
      serverName,
      certSubType,
      Buffer.from(certData, 'base64').toString(),
    ]),
    [
      ['git.example.com', 'ssh-ed25519', 'AAAA'],
      ['10.0.0.1', 'ssh-ed25519', 'AAAA'],
    ],
  );
});
