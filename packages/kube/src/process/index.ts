/** The setup of a process before it loads anything else, so that a short command loads little. */
export { paceCollections, youngGenerationFlag } from './garbage.ts';
export { stopSignal } from './stop-signal.ts';
