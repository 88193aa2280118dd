import { routeTable } from './route-table.ts';

/** One row of the REST API. */
export interface Route {
  readonly method: string;
  /** Segments: a text, or the field of the request that has its value. */
  readonly path: readonly PathSegment[];
  /** `Project.List`. */
  readonly call: string;
  /** Name of the request message. */
  readonly request: string;
  /** The field that the body is, `*` for the whole request; none if empty. */
  readonly body: string;
  readonly response: string;
  readonly isStream: boolean;
}

export type PathSegment =
  | { readonly text: string }
  | { readonly field: readonly string[] /** Takes all that is left. */; readonly rest: boolean };

const row = /^(\S+) (\S+) (\S+) (\S+)(?: body=(\S+))? -> (stream )?(\S+)$/u;

export const routes: readonly Route[] = routeTable
  .trim()
  .split('\n')
  .map((line) => {
    const [, method = '', path = '', call = '', request = '', body = '', stream, response = ''] = row.exec(line) ?? [];
    return { method, path: segmentsOf(path), call, request, body, response, isStream: stream !== undefined };
  });

function segmentsOf(path: string): PathSegment[] {
  return path
    .slice(1)
    .split('/')
    .map((text) => {
      const [, field, rest] = /^\{([\w.]+)(=\*\*)?\}$/u.exec(text) ?? [];
      return field === undefined ? { text } : { field: field.split('.'), rest: rest !== undefined };
    });
}

/** Values of the fields in a path; undefined if the path is another. */
export function matchPath(
  segments: readonly PathSegment[],
  components: readonly string[],
): readonly (readonly [field: readonly string[], value: string])[] | undefined {
  const values: (readonly [readonly string[], string])[] = [];
  for (const [i, segment] of segments.entries()) {
    if ('text' in segment) {
      if (components[i] !== segment.text) return undefined;
    } else if (segment.rest) {
      values.push([segment.field, components.slice(i).join('/')]);
      return values;
    } else {
      const value = components[i];
      if (value === undefined) return undefined;
      values.push([segment.field, value]);
    }
  }
  return components.length === segments.length ? values : undefined;
}
