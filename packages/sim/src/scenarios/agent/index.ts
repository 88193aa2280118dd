export { acts, type Stage } from './acts.ts';
export { Fleet, hubNamespace } from './fleet.ts';
export { cascade, differences, newIntentions, watchRules } from './rules.ts';
