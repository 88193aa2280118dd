import { setFlagsFromString } from 'node:v8';

/**
 * Limits what V8 keeps for short-lived objects to 16 MB: two halves of 8 MB. By default it grows to 128 MB in a process that streams or
 * decodes a lot, however little of that is in use. V8 reads it only when a process starts, so it belongs in every command line of Node.
 */
export const youngGenerationFlag = '--max-semi-space-size=8';

/**
 * Collects the heap whenever it has grown by 80 %. By default V8 waits for a multiple of that in a process that allocates quickly, and in
 * an idle one collects after 10 %: each time its helper threads use processors that other processes need. For long-running processes; call
 * it first.
 */
export function paceCollections(): void {
  setFlagsFromString('--heap-growing-percent=80');
  // Four times this many MB of buffers may await a collection. A process that passes on a stream allocates little else, so by default
  // V8 lets 128 MB of them accumulate. Older versions of V8 print an error about a flag that they do not have.
  if (Number.parseInt(process.versions.v8, 10) >= 13) setFlagsFromString('--scavenger-max-new-space-capacity-mb=4');
}
