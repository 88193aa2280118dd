export * from './pre-pull-image.ts';
export * from './pre-pull-policy.ts';
