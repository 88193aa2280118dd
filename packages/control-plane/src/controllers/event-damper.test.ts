import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventDamper } from './event-damper.ts';

const object = { apiVersion: 'v1', kind: 'ReplicaSet', metadata: { name: 'web', namespace: 'n', uid: 'u' } };
const admit = (damper: EventDamper, message: string, now = 0, of = object) =>
  damper.admit(of, 'Normal', 'SuccessfulCreate', message, now);

test('nine messages of one reason are written separately, further ones are combined', () => {
  const damper = new EventDamper();
  for (let n = 1; n <= 9; n += 1) assert.deepEqual(admit(damper, `m${n}`), { message: `m${n}`, combined: false });
  assert.deepEqual(admit(damper, 'm10'), { message: '(combined from similar events): m10', combined: true });
  assert.deepEqual(admit(damper, 'm1'), { message: 'm1', combined: false }, 'a known message stays separate');
  assert.equal(damper.admit(object, 'Warning', 'FailedCreate', 'm11', 0)?.combined, false, 'another reason');
});

test('a group is dropped after a period without events', () => {
  const damper = new EventDamper();
  for (let n = 1; n <= 10; n += 1) admit(damper, `m${n}`);
  assert.equal(admit(damper, 'later', 10 * 60_000 + 1)?.combined, false);
});

test('an object may have a burst of 25 events, then one per five minutes', () => {
  const damper = new EventDamper();
  for (let n = 0; n < 25; n += 1) assert.ok(admit(damper, 'same'), `event ${n}`);
  assert.equal(admit(damper, 'same'), undefined);
  assert.ok(admit(damper, 'same', 0, { ...object, metadata: { ...object.metadata, uid: 'other' } }), 'another object');
  assert.equal(admit(damper, 'same', 299_000), undefined);
  assert.ok(admit(damper, 'same', 300_000));
  assert.equal(admit(damper, 'same', 300_000), undefined);
});
