import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPublicKeys } from './public-keys.ts';

const [ann, bob] = ['A'.repeat(24), 'B'.repeat(24)];

test('keys are read with the fingerprint of the primary key and the first identity', () => {
  const output = [
    'tru::1:1700000000:0:3:1:5',
    'pub:-:255:22:0123456789ABCDEF:1700000000:::-:::scSC:::::ed25519:::0:',
    `fpr:::::::::${ann}0123456789ABCDEF:`,
    'uid:-::::1700000000::AB::Ann \\x3a One <ann@example.com>::::::::::0:',
    'uid:-::::1700000000::CD::Ann Two <two@example.com>::::::::::0:',
    'sub:-:255:18:FEDCBA9876543210:1700000000::::::e::::cv25519::',
    `fpr:::::::::${'C'.repeat(40)}:`,
    'pub:e:4096:1:1111111111111111:1600000000:1600000001::-:::sc::::::23::0:',
    `fpr:::::::::${bob}1111111111111111:`,
    'uid:e::::1600000000::EF::Bob <bob@example.com>::::::::::0:',
    '',
  ].join('\n');
  assert.deepEqual(readPublicKeys(output), [
    {
      id: '0123456789ABCDEF',
      fingerprint: `${ann}0123456789ABCDEF`,
      owner: 'Ann : One <ann@example.com>',
      trust: 'unknown',
      subType: 'ed25519',
    },
    {
      id: '1111111111111111',
      fingerprint: `${bob}1111111111111111`,
      owner: 'Bob <bob@example.com>',
      trust: 'expired',
      subType: 'rsa4096',
    },
  ]);
});

test('what is not a list of keys has none', () => {
  assert.deepEqual(readPublicKeys(''), []);
  assert.deepEqual(readPublicKeys('fpr:::::::::X:\nuid:x\ngpg: error'), []);
});
