export { pageFor } from './help.ts';
export { entries, groups } from './table.ts';
