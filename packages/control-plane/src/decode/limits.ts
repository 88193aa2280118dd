/** Nesting beyond this is refused: everything that walks an object does so with its own stack. */
export const maxDepth = 1_000;
