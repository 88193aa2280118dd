import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by a third of what is alive before it is collected, where V8 would wait for several times as much. For a process that
 * holds much and makes garbage quickly: a little more collecting, half the memory. Call it first thing.
 */
export function keepHeapLean(): void {
  setFlagsFromString('--heap-growing-percent=30');
}
