export type Fields = Readonly<Record<string, unknown>>;
/** The operation, by `input.op`: the fields that may be expected. */
export type Ops = Readonly<Record<string, (input: Input) => Fields | Promise<Fields>>>;
// biome-ignore lint/suspicious/noExplicitAny: cases are data of many shapes, each read by the one function that knows it.
export type Input = Record<string, any>;

/** Contains the values at the time of the failure. */
export class FailedWith extends Error {
  readonly result: Fields;

  constructor(cause: unknown, result: Fields) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.result = result;
  }
}
