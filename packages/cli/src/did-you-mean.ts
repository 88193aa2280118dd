import { closest } from '@fairlead/apimachinery/primitives';

/** ` (did you mean web?)` with the closest known name; empty if none is close. */
export const didYouMean = (name: string, known: readonly string[], prefix = ''): string =>
  suggest(closest(name, known), prefix);

export const suggest = (near: string | undefined, prefix = ''): string =>
  near === undefined ? '' : ` (did you mean ${prefix}${near}?)`;
