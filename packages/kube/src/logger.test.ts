import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { createLogger, type LoggerOptions } from './logger.ts';

function logging(options: LoggerOptions) {
  const lines: string[] = [];
  const clock = new VirtualClock({ start: Date.UTC(2031, 4, 6, 7, 8, 9) });
  return { lines, log: createLogger({ clock, sink: (line) => lines.push(line), ...options }) };
}

test('a plain line has its time, level, message and fields, quoted if necessary', () => {
  const { lines, log } = logging({});
  log.with({ app: 'shop' }).info('synced', { took: 12, why: 'a new commit', gone: undefined, list: ['a'], empty: '' });
  assert.deepEqual(lines, [
    '2031-05-06T07:08:09.000Z INFO  synced app=shop took=12 why="a new commit" list=["a"] empty=""',
  ]);
});

test('a JSON line is one object', () => {
  const { lines, log } = logging({ format: 'json' });
  log.warn('failed', { error: new Error('refused', { cause: new Error('no route') }) });
  assert.deepEqual(JSON.parse(lines[0]!), {
    time: '2031-05-06T07:08:09.000Z',
    level: 'warn',
    message: 'failed',
    error: 'Error: refused; caused by Error: no route',
  });
});

test('lines below the level are not written', () => {
  const { lines, log } = logging({ level: 'warn' });
  log.debug('a');
  log.info('b');
  log.warn('c');
  log.error('d');
  assert.equal(lines.length, 2);
});

test('a field that cannot be serialized does not prevent the line', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const format of ['plain', 'json'] as const) {
    const { lines, log } = logging({ format });
    log.info('odd', { circle, big: 10n });
    assert.match(lines[0]!, /odd/);
  }
});
