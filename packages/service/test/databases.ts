import { type OpenDatabase, openPglite } from '../src/database/index.ts';

export interface TestDatabase {
  readonly name: string;
  open(): Promise<OpenDatabase>;
}

/** What the suites run on: the embedded PostgreSQL, and a real one where there is one. */
export const databases: readonly TestDatabase[] = [{ name: 'PGlite', open: () => openPglite() }];
