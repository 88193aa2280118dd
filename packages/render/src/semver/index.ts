export * from './constraint.ts';
export * from './version.ts';
