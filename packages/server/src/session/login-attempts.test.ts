import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fairlead/kube';
import { LoginAttempts } from './login-attempts.ts';

const fail = (attempts: LoginAttempts, times: number, name: string, address: string, now = 0): void => {
  for (let i = 0; i < times; i++) attempts.failed({ name, address }, now);
};

test('wrong passwords lock an account for their address, and for no other', () => {
  const attempts = new LoginAttempts();
  fail(attempts, limits.signInFailures, 'admin', '192.0.2.1');
  assert.equal(attempts.isLocked({ name: 'admin', address: '192.0.2.1' }, 0), true);
  assert.equal(attempts.isLocked({ name: 'admin', address: '192.0.2.2' }, 0), false);
  assert.equal(attempts.isLocked({ name: 'alice', address: '192.0.2.1' }, 0), false);
});

test('a lock ends after its time, and attempts meanwhile do not extend it', () => {
  const attempts = new LoginAttempts();
  fail(attempts, limits.signInFailures, 'admin', '192.0.2.1');
  assert.equal(attempts.isLocked({ name: 'admin', address: '192.0.2.1' }, limits.signInLockMs), true);
  assert.equal(attempts.isLocked({ name: 'admin', address: '192.0.2.1' }, limits.signInLockMs + 1), false);
});

test('the right password forgets the wrong ones before it', () => {
  const attempts = new LoginAttempts();
  fail(attempts, limits.signInFailures - 1, 'admin', '192.0.2.1');
  attempts.succeeded({ name: 'admin', address: '192.0.2.1' });
  fail(attempts, limits.signInFailures - 1, 'admin', '192.0.2.1');
  assert.equal(attempts.isLocked({ name: 'admin', address: '192.0.2.1' }, 0), false);
});

test('an address that tries many accounts is locked', () => {
  const attempts = new LoginAttempts();
  for (let i = 0; i < limits.signInFailuresPerAddress; i++) fail(attempts, 1, `user-${i}`, '192.0.2.1');
  assert.equal(attempts.isLocked({ name: 'another', address: '192.0.2.1' }, 0), true);
  assert.equal(attempts.isLocked({ name: 'another', address: '192.0.2.2' }, 0), false);
});

test('an attack from many addresses does not lock out who has signed in before', () => {
  const attempts = new LoginAttempts();
  attempts.succeeded({ name: 'admin', address: '198.51.100.1' });
  for (let i = 0; i < limits.signInFailuresPerAccount; i++) fail(attempts, 1, 'admin', `192.0.2.${i}`);
  assert.equal(attempts.isLocked({ name: 'admin', address: '198.51.100.1' }, 0), false);
  assert.equal(attempts.isLocked({ name: 'admin', address: '203.0.113.1' }, 0), true);
});

test('what is remembered is bounded, and random names do not displace an account under attack', () => {
  const attempts = new LoginAttempts();
  fail(attempts, limits.signInFailures, 'admin', '192.0.2.1');
  for (let i = 0; i < 3 * limits.signInRemembered; i++) fail(attempts, 1, `user-${i}`, `address-${i}`);
  assert.ok(attempts.size <= 4 * limits.signInRemembered);
  assert.equal(attempts.isLocked({ name: 'admin', address: '192.0.2.1' }, 0), true);
});
