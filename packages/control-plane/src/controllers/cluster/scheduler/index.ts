export { scheduler } from './scheduler.ts';
