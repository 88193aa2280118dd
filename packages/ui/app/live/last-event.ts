/** The last event that this page has read. Lists that are read after it must not be older, whichever replica answers. */
let lastId = '';

export const readEvent = (id: string): void => {
  if (id !== '') lastId = id;
};

/** The parameter of lists. */
export const sinceLastEvent = (): { readonly since?: string } => (lastId === '' ? {} : { since: lastId });
