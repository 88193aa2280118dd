import type { SuiteOptions } from '../../../../scripts/conformance.ts';

export interface Outcome {
  readonly passed: boolean;
  readonly exact: boolean;
  /** Why the case cannot be decided on this machine; it is then neither passed nor failed. */
  readonly skipped?: string;
  readonly detail?: string;
}

export interface Case {
  readonly name: string;
}

export interface NamedOutcome {
  readonly name: string;
  readonly outcome: Outcome;
}

/** Runs the chosen cases of one file of the corpus, in any order. */
export type Group = (cases: readonly Case[], options: SuiteOptions) => AsyncIterable<NamedOutcome>;

export const passed: Outcome = { passed: true, exact: true };

export const failed = (detail: string): Outcome => ({ passed: false, exact: false, detail });

export const skipped = (reason: string): Outcome => ({ passed: false, exact: false, skipped: reason });

/** An error that a case throws is its failure. */
export async function outcomeOf(running: Promise<Outcome>): Promise<Outcome> {
  try {
    return await running;
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}
