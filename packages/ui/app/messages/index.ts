import { en } from './en.ts';

/** The texts of the page. Another language is another object of this type. */
export type Messages = typeof en;

export const t: Messages = en;
