import type { JsonObject } from '@fairlead/apimachinery';
import type { Served } from '../discovery/listed.ts';
import type { Resource } from '../resource.ts';
import { Definitions } from './definitions.ts';
import { resourcePaths, reviewPaths, rootOf, tagOf } from './paths.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export interface VersionContents {
  readonly group: string;
  readonly version: string;
  readonly resources: Resource[];
  readonly reviews: Review[];
}

type Review = ReturnType<Served['reviews']>[number];

/** The resources of a registry, by the name in `/openapi/v3`: `api/v1`, `apis/apps/v1`. */
export function versionsOf(served: Served): Map<string, VersionContents> {
  const versions = new Map<string, VersionContents>();
  const at = ({ group, version }: { readonly group: string; readonly version: string }): VersionContents => {
    const name = rootOf(group, version).slice(1);
    const found = versions.get(name) ?? { group, version, resources: [], reviews: [] };
    versions.set(name, found);
    return found;
  };
  for (const resource of served.all()) at(resource).resources.push(resource);
  for (const review of served.reviews()) at(review).reviews.push(review);
  return versions;
}

/** The document of one group version. */
export function versionDocument({ group, version, resources, reviews }: VersionContents): JsonObject {
  const definitions = new Definitions(group, version);
  const paths: JsonObject = {
    [`${rootOf(group, version)}/`]: {
      get: reading(`${meta}.APIResourceList`, definitions, tagOf(group, version), 'The resources of this version.'),
    },
  };
  for (const resource of resources) Object.assign(paths, resourcePaths(resource, definitions));
  for (const review of reviews) Object.assign(paths, reviewPaths(review, definitions));
  return document(paths, definitions);
}

/** The other small documents: the responses of `/apis`, `/apis/G`, `/version` and similar. */
export function plainDocument(path: string, type: string | undefined): JsonObject {
  const definitions = new Definitions('', 'v1');
  return document(
    { [`/${path}/`]: { get: reading(type, definitions, path.replace(/\/.*$/s, ''), `What /${path} answers.`) } },
    definitions,
  );
}

export const plainDocuments: Readonly<Record<string, string | undefined>> = {
  '.well-known/openid-configuration': undefined,
  api: `${meta}.APIVersions`,
  apis: `${meta}.APIGroupList`,
  'openid/v1/jwks': undefined,
  version: undefined,
};

export const groupType = `${meta}.APIGroup`;

function reading(type: string | undefined, definitions: Definitions, tag: string, description: string): JsonObject {
  const schema = type ? definitions.ref(type) : { type: 'object' };
  return {
    tags: [tag],
    description,
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema } } },
      '401': { description: 'Unauthorized' },
    },
  };
}

const document = (paths: JsonObject, definitions: Definitions): JsonObject => ({
  openapi: '3.0.0',
  info: { title: 'Kubernetes', version: 'unversioned' },
  paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
  components: {
    schemas: definitions.all(),
    securitySchemes: {
      BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'A bearer token.' },
    },
  },
});
