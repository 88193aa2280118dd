import { createHash } from 'node:crypto';
import { apiError, type JsonObject, must } from '@fairlead/apimachinery';
import type { Answer, Asked } from '../discovery/discovery.ts';
import type { Served } from '../discovery/listed.ts';
import { swagger } from './v2.ts';
import { swaggerProtobuf, swaggerProtobufAccept, swaggerProtobufType } from './v2-protobuf.ts';
import { groupType, plainDocument, plainDocuments, type VersionContents, versionDocument, versionsOf } from './v3.ts';

interface Kept {
  readonly body: string | Buffer;
  readonly etag: string;
  /** Its input; the same input gives the same document. */
  readonly from: readonly unknown[];
}

/**
 * Serves `/openapi/v3`, the documents below it, and `/openapi/v2`; undefined for other paths. A document is created when it (or the index,
 * which has its hash) is first requested, and again only when the resources of its group version have changed.
 */
export function createOpenApi(served: Served) {
  const kept = new Map<string, Kept>();
  let generation = -1;
  let versions = new Map<string, VersionContents>();
  let groups = new Set<string>();
  const v2 = new Map<'json' | 'protobuf', Kept>();
  let index: Kept | undefined;

  const refresh = (): void => {
    if (generation === served.generation) return;
    generation = served.generation;
    versions = versionsOf(served);
    groups = new Set([...versions.values()].flatMap(({ group }) => (group === '' ? [] : [`apis/${group}`])));
    v2.clear();
    index = undefined;
  };

  const documentAt = (name: string): Kept | undefined => {
    const contents = versions.get(name);
    if (contents) {
      const from = [...contents.resources, ...contents.reviews.map(({ plural }) => plural)];
      return remember(kept, name, from, () => versionDocument(contents));
    }
    if (groups.has(name)) return remember(kept, name, [], () => plainDocument(name, groupType));
    return Object.hasOwn(plainDocuments, name)
      ? remember(kept, name, [], () => plainDocument(name, plainDocuments[name]))
      : undefined;
  };

  const makeIndex = (): Kept => {
    const names = [...Object.keys(plainDocuments), ...groups, ...versions.keys()].sort();
    const paths = names.map((name) => {
      const { etag } = must(documentAt(name), `the document ${name}`);
      const hash = etag.slice(1, -1);
      return [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` }];
    });
    for (const name of kept.keys()) if (!names.includes(name)) kept.delete(name);
    return keep({ paths: Object.fromEntries(paths) }, []);
  };

  const makeV2 = (form: 'json' | 'protobuf'): Kept => {
    const document = swagger([...versions.values()].map(versionDocument));
    return form === 'json' ? keep(document, []) : keepBytes(swaggerProtobuf(document), []);
  };

  return (path: string, asked: Asked): Answer | undefined => {
    if (path !== '/openapi/v2' && path !== '/openapi/v3' && !path.startsWith('/openapi/v3/')) return undefined;
    refresh();
    if (path === '/openapi/v3') return answer((index ??= makeIndex()), 'text/plain; charset=utf-8', asked);
    if (path === '/openapi/v2') {
      const form = takesJson(asked.accept) ? 'json' : 'protobuf';
      if (form === 'protobuf' && !asked.accept?.includes(swaggerProtobufAccept)) return notAcceptable;
      const made = v2.get(form) ?? makeV2(form);
      v2.set(form, made);
      return answer(made, form === 'json' ? 'application/json' : swaggerProtobufType, asked);
    }
    // The protobuf form of version 3 is not supported: a client that accepts nothing else gets 406.
    if (!takesJson(asked.accept)) return notAcceptable;
    const found = documentAt(path.slice('/openapi/v3/'.length));
    return found ? answer(found, 'application/json', asked) : noSuchDocument;
  };
}

function remember(kept: Map<string, Kept>, name: string, from: readonly unknown[], make: () => JsonObject): Kept {
  const before = kept.get(name);
  if (before && before.from.length === from.length && before.from.every((each, at) => each === from[at])) return before;
  const now = keep(make(), from);
  kept.set(name, now);
  return now;
}

const keep = (document: JsonObject, from: readonly unknown[]): Kept => keepBytes(JSON.stringify(document), from);

const keepBytes = (body: string | Buffer, from: readonly unknown[]): Kept => ({
  body,
  etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`,
  from,
});

function answer({ body, etag }: Kept, contentType: string, asked: Asked): Answer {
  const headers = { etag, vary: 'Accept' };
  if (asked['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body };
}

function takesJson(accept: string | undefined): boolean {
  if (!accept) return true;
  return accept.split(',').some((clause) => {
    const [name = ''] = clause.split(';');
    const media = name.trim().toLowerCase();
    return media === 'application/json' || media === 'application/*' || media === '*/*';
  });
}

const notAcceptable: Answer = {
  status: 406,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(
    apiError(406, 'NotAcceptable', 'only the following media types are accepted: application/json').status,
  ),
};

const noSuchDocument: Answer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '404 page not found\n',
};
