export type Fields = Readonly<Record<string, unknown>>;
/** What is asked, by `input.op`: the fields that may be expected. */
export type Ops = Readonly<Record<string, (input: Input) => Fields | Promise<Fields>>>;
// biome-ignore lint/suspicious/noExplicitAny: cases are data of many shapes, each read by the one function that knows it.
export type Input = Record<string, any>;

/** Carries what held when something failed. */
export class FailedWith extends Error {
  readonly result: Fields;

  constructor(cause: unknown, result: Fields) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.result = result;
  }
}
