import { type ApiError, apiError, describe, type FieldError, toCause } from '@fairlead/apimachinery';
import type { Resource } from './resource.ts';

type Named = Pick<Resource, 'group' | 'plural' | 'kind'>;

/** `deployments.apps`, or `pods` without a group. */
export const qualified = (resource: Pick<Resource, 'group' | 'plural'>): string =>
  resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;

const qualifiedKind = (resource: Pick<Resource, 'group' | 'kind'>): string =>
  resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`;

const detailsOf = (resource: Pick<Resource, 'group' | 'plural'>, name: string) => ({
  ...(name ? { name } : {}),
  ...(resource.group ? { group: resource.group } : {}),
  kind: resource.plural,
});

/** The errors of kube-apiserver, with its messages. */
export const refuse = {
  notFound: (resource: Named, name: string): ApiError =>
    apiError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name)),
  alreadyExists: (resource: Named, name: string): ApiError =>
    apiError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, detailsOf(resource, name)),
  conflict: (resource: Named, name: string, why: string): ApiError =>
    apiError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
      detailsOf(resource, name),
    ),
  modified: (resource: Named, name: string): ApiError =>
    refuse.conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    ),
  forbidden: (
    resource: Named,
    name: string,
    why: string,
    causes?: { reason: string; message: string; field: string }[],
  ) =>
    apiError(403, 'Forbidden', `${qualified(resource)} "${name}" is forbidden: ${why}`, {
      ...detailsOf(resource, name),
      ...(causes ? { causes } : {}),
    }),
  invalid: (resource: Pick<Resource, 'group' | 'kind'>, name: string, errors: readonly FieldError[]): ApiError =>
    apiError(422, 'Invalid', `${qualifiedKind(resource)} "${name}" is invalid: ${describe(errors)}`, {
      ...(name ? { name } : {}),
      ...(resource.group ? { group: resource.group } : {}),
      ...(resource.kind ? { kind: resource.kind } : {}),
      causes: errors.map(toCause),
    }),
  badRequest: (message: string): ApiError => apiError(400, 'BadRequest', message),
  /** The error response for storage errors: a Status without a reason. */
  storage: (message: string): ApiError => apiError(500, undefined, message),
  methodNotAllowed: (): ApiError =>
    apiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  noSuchResource: (): ApiError => apiError(404, 'NotFound', 'the server could not find the requested resource', {}),
  expired: (message: string): ApiError => apiError(410, 'Expired', message),
  unsupportedMedia: (accepted: readonly string[]): ApiError =>
    apiError(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    ),
  tooLargeRevision: (asked: number, current: number): ApiError =>
    apiError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    }),
  notSupported: (what: string): ApiError =>
    apiError(501, undefined, `${what} is not supported by the embedded control plane; use a real cluster for it`),
};
