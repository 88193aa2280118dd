/** The query of a URL. Repeated names are lists; values are always text. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  const params = new URLSearchParams(text);
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    found[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return found;
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat()) if (one !== undefined && one !== null) params.append(name, String(one));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

export const textParam = (search: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = search[name];
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' && one !== '' ? one : undefined;
};

/** Undefined if there is none, so that the URL stays short. */
export const listParam = (search: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined => {
  const values = [search[name]].flat().filter((value): value is string => typeof value === 'string');
  return values.length === 0 ? undefined : values;
};
