/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whatever was thrown, as an Error. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
