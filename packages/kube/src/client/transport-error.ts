/** The server did not respond, or not completely. Whether it processed the request is unknown. */
export class TransportError extends Error {
  readonly retriable = true;

  constructor(what: string, cause: unknown) {
    super(`${what}: ${explain(cause)}`, { cause });
    this.name = 'TransportError';
  }

  /** The error code of the operating system or the HTTP layer: ECONNREFUSED, UND_ERR_HEADERS_TIMEOUT … */
  get code(): string {
    return codeOf(this.cause);
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

/** Connection errors have their reason in causes, and those of several addresses in a list with an empty message. */
function explain(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const own = error.message || error.name;
  return error.cause instanceof Error ? `${own} (${explain(error.cause)})` : own;
}
