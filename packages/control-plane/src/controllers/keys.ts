/** Splits a work queue key of the form `task name`. */
export function splitKey(key: string): readonly [task: string, name: string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1)];
}

/** The group of an `apiVersion`: empty for `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
