import {
  type ApiError,
  apiError,
  describe,
  type FieldError,
  fieldError,
  formatTime,
  type JsonObject,
  listAt,
  type ObjectSchema,
  textAt,
  toCause,
} from '@fairlead/apimachinery';
import type { Draft, ReviewResource, User } from '../resource.ts';
import type { Attributes } from './attributes.ts';
import type { Authenticator } from './authenticator.ts';
import { type Authorizer, joinErrors } from './authorizer.ts';
import { type SelectorAttributes, validateSelectors } from './selector-attributes.ts';

export interface ReviewOptions {
  readonly authorize: Authorizer;
  readonly authenticate: Authenticator;
  /** From the type table, by `group/version/Kind`. */
  schemaOf(key: string): ObjectSchema;
}

interface AccessSpec {
  resourceAttributes?: {
    verb?: string;
    group?: string;
    resource?: string;
    subresource?: string;
    namespace?: string;
    name?: string;
    fieldSelector?: SelectorAttributes;
    labelSelector?: SelectorAttributes;
  } | null;
  nonResourceAttributes?: { path?: string; verb?: string } | null;
  user?: string;
  groups?: string[];
  uid?: string;
  extra?: Record<string, string[]>;
}

/** Kinds whose create returns an answer and stores nothing. */
export function reviewResources({ authorize, authenticate, schemaOf }: ReviewOptions): ReviewResource[] {
  const review = (
    group: string,
    kind: string,
    create: ReviewResource['create'],
    namespaced = false,
  ): ReviewResource => ({
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
    schema: schemaOf(`${group}/v1/${kind}`),
    create: (draft, context) => ({ ...create(draft, context), kind, apiVersion: `${group}/v1` }),
  });
  const authorization = 'authorization.k8s.io';
  const authentication = 'authentication.k8s.io';

  const decide = (draft: Draft, user: User): Draft => {
    const { allowed, reason } = authorize(user, attributesOf(specOf(draft)));
    return withStatus(draft, { allowed, ...(reason ? { reason } : {}) });
  };

  return [
    review(authorization, 'SubjectAccessReview', (draft) => {
      const spec = specOf(draft);
      refuse([...validateSubject(spec), ...validateAttributes(spec), ...validateMetadata(draft, [])]);
      return decide(draft, subjectOf(spec));
    }),
    review(authorization, 'SelfSubjectAccessReview', (draft, { user }) => {
      refuse([...validateAttributes(specOf(draft)), ...validateMetadata(draft, [])]);
      return decide(draft, user);
    }),
    review(
      authorization,
      'LocalSubjectAccessReview',
      (draft, { namespace }) => {
        if (!draft.metadata?.namespace) draft.metadata = { ...draft.metadata, namespace };
        const spec = specOf(draft);
        refuse([
          ...validateSubject(spec),
          ...validateAttributes(spec),
          ...validateMetadata(draft, ['namespace']),
          ...validateLocal(spec, draft.metadata.namespace ?? ''),
        ]);
        return decide(draft, subjectOf(spec));
      },
      true,
    ),
    review(authorization, 'SelfSubjectRulesReview', (draft, { user }) => {
      const namespace = textAt(draft, 'spec', 'namespace');
      if (!namespace) throw apiError(400, 'BadRequest', 'no namespace on request');
      return rulesReview(authorize, user, namespace);
    }),
    review(authentication, 'SelfSubjectReview', (_, { user, clock }) =>
      object({
        metadata: { creationTimestamp: formatTime(clock.now()) },
        status: { userInfo: userInfo(user) },
      }),
    ),
    review(authentication, 'TokenReview', (draft) => reviewToken(authenticate, draft)),
  ];
}

const specOf = (draft: Draft): AccessSpec => (draft.spec ?? {}) as AccessSpec;
const object = (fields: JsonObject): Draft => fields as unknown as Draft;

const withStatus = (draft: Draft, status: JsonObject): Draft => ({ ...draft, metadata: { ...draft.metadata }, status });

const subjectOf = (spec: AccessSpec): User => ({
  name: spec.user ?? '',
  groups: spec.groups ?? [],
  ...(spec.uid ? { uid: spec.uid } : {}),
  ...(spec.extra ? { extra: spec.extra } : {}),
});

function attributesOf({ resourceAttributes: resource, nonResourceAttributes: path }: AccessSpec): Attributes {
  if (!resource) return { verb: path?.verb ?? '', path: path?.path ?? '' };
  return { ...resource, verb: resource.verb ?? '', group: resource.group ?? '', resource: resource.resource ?? '' };
}

/** These kinds have no name: the Status has their group only. */
function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalid(errors);
}

const invalid = (errors: FieldError[]): ApiError =>
  apiError(422, 'Invalid', `.authorization.k8s.io "" is invalid: ${describe(errors)}`, {
    group: 'authorization.k8s.io',
    causes: errors.map(toCause),
  });

function validateAttributes(spec: AccessSpec): FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  const errors: FieldError[] = [];
  if (resource && path)
    errors.push(
      fieldError.invalid(
        'spec.nonResourceAttributes',
        goPath(path),
        'cannot be specified in combination with resourceAttributes',
      ),
    );
  if (!resource && !path)
    errors.push(
      fieldError.invalid(
        'spec.resourceAttributes',
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    );
  errors.push(...validateSelectors(resource ?? {}, 'spec.resourceAttributes'));
  return errors;
}

const validateSubject = (spec: AccessSpec): FieldError[] =>
  spec.user || spec.groups?.length
    ? []
    : [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')];

function validateLocal(spec: AccessSpec, namespace: string): FieldError[] {
  const errors: FieldError[] = [];
  const requested = spec.resourceAttributes && (spec.resourceAttributes.namespace ?? '');
  if (typeof requested === 'string' && requested !== namespace)
    errors.push(fieldError.invalid('spec.resourceAttributes.namespace', requested, 'must match metadata.namespace'));
  if (spec.nonResourceAttributes)
    errors.push(
      fieldError.invalid(
        'spec.nonResourceAttributes',
        goPath(spec.nonResourceAttributes),
        'disallowed on this kind of request',
      ),
    );
  return errors;
}

function validateMetadata(draft: Draft, allowed: readonly string[]): FieldError[] {
  const set = Object.entries(draft.metadata ?? {}).filter(
    ([key, value]) => key !== 'managedFields' && !allowed.includes(key) && !isEmpty(value),
  );
  if (set.length === 0) return [];
  const rule = allowed.length > 0 ? `must be empty except for ${allowed.join(', ')}` : 'must be empty';
  return [fieldError.invalid('metadata', draft.metadata, rule)];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Go prints this struct with its field names. */
const goPath = (path: { path?: string; verb?: string }) => ({ Path: path.path ?? '', Verb: path.verb ?? '' });

export const userInfo = (user: User): JsonObject => ({
  username: user.name,
  ...(user.uid ? { uid: user.uid } : {}),
  ...(user.groups.length > 0 ? { groups: [...user.groups] } : {}),
  ...(user.extra && Object.keys(user.extra).length > 0 ? { extra: copyLists(user.extra) } : {}),
});

const copyLists = (lists: Readonly<Record<string, readonly string[]>>): JsonObject =>
  Object.fromEntries(Object.entries(lists).map(([key, values]) => [key, [...values]]));

function rulesReview(authorize: Authorizer, user: User, namespace: string): Draft {
  const { grants, errors } = authorize.grants(user, namespace);
  const some = (list: readonly string[] | undefined) => list && list.length > 0;
  const rules = grants.map((grant) => grant.rule);
  const pick = (rule: object, keys: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(rule).filter(([key]) => keys.includes(key)));
  return object({
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules
        .filter((rule) => some(rule.resources))
        .map((rule) => pick(rule, ['verbs', 'apiGroups', 'resources', 'resourceNames'])),
      nonResourceRules: rules
        .filter((rule) => some(rule.nonResourceURLs))
        .map((rule) => pick(rule, ['verbs', 'nonResourceURLs'])),
      incomplete: false,
      ...(errors.length > 0 ? { evaluationError: joinErrors(errors) } : {}),
    },
  });
}

function reviewToken(authenticate: Authenticator, draft: Draft): Draft {
  const token = textAt(draft, 'spec', 'token');
  if (!token) throw apiError(400, 'BadRequest', 'token is required for TokenReview in authentication');
  const named = listAt(draft, 'spec', 'audiences').filter((audience) => typeof audience === 'string');
  const audiences = named.length > 0 ? named : authenticate.audiences;
  const verified = authenticate.reviewToken(token, audiences);
  if (verified instanceof Error) return withStatus(draft, { user: {}, error: verified.message });
  return withStatus(draft, {
    authenticated: true,
    user: userInfo(verified.user),
    audiences: [...verified.audiences],
  });
}
