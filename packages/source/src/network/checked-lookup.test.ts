import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must, parseAllowedNetworks } from '@fairlead/apimachinery';
import { checkLiteral, permittedAddresses } from './checked-lookup.ts';

const publicOnly = must(parseAllowedNetworks(''), 'a limit to public addresses');
const resolving =
  (...addresses: readonly string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test('a name with one forbidden address is refused, at any position in the list', async () => {
  const both = ['8.8.8.8', '127.0.0.1'];
  for (const addresses of [both, both.toReversed(), ['10.0.0.1'], ['2606:4700::1111', '::1']])
    await assert.rejects(permittedAddresses('example.com', publicOnly, resolving(...addresses)), {
      reason: 'AddressRefused',
    });
  assert.deepEqual(await permittedAddresses('example.com', publicOnly, resolving('8.8.8.8', '1.1.1.1')), [
    '8.8.8.8',
    '1.1.1.1',
  ]);
});

test('the error does not reveal the resolved addresses', async () => {
  const refusal = permittedAddresses('internal.example.com', publicOnly, resolving('10.1.2.3'));
  await assert.rejects(refusal, (error: Error) => !error.message.includes('10.1.2.3'));
});

test('an address written as a number is checked without a DNS query', async () => {
  const fails = () => Promise.reject(new Error('asked'));
  await assert.rejects(permittedAddresses('[::1]', publicOnly, fails), { reason: 'AddressRefused' });
  assert.deepEqual(await permittedAddresses('8.8.8.8', publicOnly, fails), ['8.8.8.8']);
  assert.throws(() => checkLiteral('127.0.0.1', publicOnly), { reason: 'AddressRefused' });
});
