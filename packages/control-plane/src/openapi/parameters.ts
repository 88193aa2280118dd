import type { JsonObject } from '@fairlead/apimachinery';

const parameter = (name: string, type: string, description: string): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type, uniqueItems: true },
});

const dryRun = parameter('dryRun', 'string', 'With All the request does everything but store.');
const fieldManager = parameter('fieldManager', 'string', 'The name under which changes are recorded.');
const fieldValidation = parameter(
  'fieldValidation',
  'string',
  'What happens to unknown and duplicate fields: Ignore, Warn or Strict.',
);
const force = parameter('force', 'boolean', 'An apply takes over fields that others own.');

const selection = [
  parameter('continue', 'string', 'Where the page before ended.'),
  parameter('fieldSelector', 'string', 'Only objects whose fields match.'),
  parameter('labelSelector', 'string', 'Only objects whose labels match.'),
  parameter('limit', 'integer', 'At most so many objects in one answer.'),
  parameter('resourceVersion', 'string', 'How fresh the answer must be.'),
  parameter('resourceVersionMatch', 'string', 'How resourceVersion is meant: Exact or NotOlderThan.'),
  parameter('sendInitialEvents', 'boolean', 'A watch starts with all objects as they are.'),
  parameter('timeoutSeconds', 'integer', 'How long a watch lasts.'),
];

const deletion = [
  dryRun,
  parameter('gracePeriodSeconds', 'integer', 'How long the object has to end.'),
  parameter('orphanDependents', 'boolean', 'Superseded by propagationPolicy.'),
  parameter('propagationPolicy', 'string', 'What becomes of dependents: Orphan, Background or Foreground.'),
];

const byName = (parameters: JsonObject[]): JsonObject[] =>
  parameters.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));

/** Query parameters by kind of request. */
export const parametersOf: Readonly<Record<string, readonly JsonObject[]>> = {
  post: [dryRun, fieldManager, fieldValidation],
  put: [dryRun, fieldManager, fieldValidation],
  patch: [dryRun, fieldManager, fieldValidation, force],
  delete: deletion,
  deletecollection: byName([...deletion, ...selection]),
  list: byName([
    ...selection,
    parameter('allowWatchBookmarks', 'boolean', 'A watch may tell its progress.'),
    parameter('watch', 'boolean', 'A stream of changes in place of a list.'),
  ]),
  get: [],
};

const inPath = (name: string, description: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', uniqueItems: true },
});

const pretty = parameter('pretty', 'string', 'Answer in lines and columns.');

/** Parameters that all operations of a path share. */
export const sharedParameters = (path: string): JsonObject[] => [
  ...(path.includes('{name}') ? [inPath('name', 'The name of the object.')] : []),
  ...(path.includes('{namespace}') ? [inPath('namespace', 'The namespace that it is in.')] : []),
  pretty,
];
